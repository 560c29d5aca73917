import { isDay, isoOf, two } from "../../../parts/dates/day.ts";

/** A moment in the operator's zone, without that zone: "2026-12-01T09:00", with seconds if there are any. */
export function momentField(momentMs: number): string {
  const at = new Date(momentMs);
  const seconds = at.getSeconds() === 0 ? "" : `:${two(at.getSeconds())}`;
  return `${isoOf(at)}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** Its day and its time, each "" where there is none. */
export function partsOf(moment: string): { day: string; time: string } {
  const [day = "", time = ""] = moment.split("T");
  return { day, time };
}

/** "" where one of them is missing. */
export function momentOf({ day, time }: { day: string; time: string }): string {
  return day === "" || time === "" ? "" : `${day}T${time}`;
}

/** Whether a text is such a moment. */
export function isMoment(text: string): boolean {
  const [day, time, ...more] = text.split("T");
  const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/.test(time ?? "");
  return isDay(day) && isTime && more.length === 0;
}
