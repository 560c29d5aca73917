/// <reference lib="esnext.temporal" />

const start = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * An IANA time zone name in the spelling of the time zone database; null for any other text. Temporal accepts 2,879
 * offsets and whole dates as zones, too (Temporal, "ParseTemporalTimeZoneString"). A stranger could use each of them to
 * split one message into a batch of its own.
 */
export function ianaZone(name: string): string | null {
  try {
    const { timeZoneId } = start.toZonedDateTimeISO(name);
    return timeZoneId.toLowerCase() === name.toLowerCase() && /^[a-z]/i.test(name)
      ? timeZoneId
      : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
