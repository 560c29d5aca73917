/** A day in this browser's time zone is `YYYY-MM-DD`. */

/** The day of a moment. */
export function isoOf(date: Date): string {
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
}

export function today(): string {
  return isoOf(new Date());
}

/** The first moment of a day. */
export function dateOf(day: string): Date {
  // Without a zone it is this browser's (ECMA-262, section 21.4.1.32).
  return new Date(`${day}T00:00`);
}

/** The first moment of the day that comes so many days later. */
export function dayAfter(day: string, days: number): Date {
  const date = dateOf(day);
  date.setDate(date.getDate() + days);
  return date;
}

/** Whether a text is a day that exists, from 1970 on. */
export function isDay(text: unknown): text is string {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d$/.test(text) || text < "1970") return false;
  const date = dateOf(text);
  return !Number.isNaN(date.getTime()) && isoOf(date) === text;
}

export function two(value: number): string {
  return String(value).padStart(2, "0");
}
