import type { AudienceDays } from "@sineta/protocol";
import { dayMs } from "../store/day-of.ts";
import type { AudienceStore } from "../store/port.ts";

/** So many at once, first and last included. */
export const mostDays = 800;

/** @param day `YYYY-MM-DD`. @returns days of UTC since 1970; null if there is no such day */
export function dayNumber(day: string): number | null {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? null : ms / dayMs;
}

/** Each day from the first to the last one, also where nothing happened. */
export async function daysBetween(
  store: Pick<AudienceStore, "days">,
  projectId: number,
  from: number,
  to: number,
): Promise<AudienceDays> {
  const found = await store.days(projectId, from, to);
  const byDay = new Map(found.map((figures) => [figures.day, figures]));
  let live = byDay.get(from - 1)?.live ?? 0;
  const days = Array.from({ length: to - from + 1 }, (_, index) => {
    const figures = byDay.get(from + index);
    live = figures?.live ?? live;
    return {
      registered: figures?.registered ?? 0,
      returned: figures?.returned ?? 0,
      renewed: figures?.renewed ?? 0,
      left: figures?.left ?? 0,
      gone: figures?.gone ?? 0,
      removed: figures?.removed ?? 0,
      live,
      day: new Date((from + index) * dayMs).toISOString().slice(0, 10),
    };
  });
  return { days };
}
