/// <reference lib="esnext.temporal" />

const start = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * The zone that an IANA name means, in the spelling of the time zone database; null for what is no such name.
 * Temporal takes offsets and whole dates, too (ECMA-402 Temporal, "ParseTemporalTimeZoneString"): a stranger could name
 * thousands of zones where nobody lives.
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
