/** Gives a day of UTC, such as 2026-12-01, as the beginning of the day of that date in this browser's time zone. */
export function localDay(day: string): string {
  return `${day}T00:00`;
}
