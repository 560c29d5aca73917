import type { DayFigures } from "@sineta/protocol";

/** Sums who entered and who left in all these days. A browser that only changed its subscription did neither. */
export function sumOf(days: readonly DayFigures[]): { came: number; lost: number } {
  let came = 0;
  let lost = 0;
  for (const day of days) {
    came += day.registered + day.returned;
    lost += day.left + day.gone + day.removed;
  }
  return { came, lost };
}
