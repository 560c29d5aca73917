export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

/** Whether `momentMs` is in the past, and less than `ageMs` ago. After the clock was put back it is in the future. */
export function isYounger(momentMs: number, ageMs: number): boolean {
  const sinceMs = Date.now() - momentMs;
  return sinceMs >= 0 && sinceMs < ageMs;
}
