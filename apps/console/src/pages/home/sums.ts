import type { DayFigures } from "@sineta/protocol";

/** Who came and who was lost in all these days; a subscription that was changed is neither. */
export function sumOf(days: readonly DayFigures[]): { came: number; lost: number } {
  let came = 0;
  let lost = 0;
  for (const day of days) {
    came += day.registered + day.returned;
    lost += day.left + day.gone + day.removed;
  }
  return { came, lost };
}
