export const dayMs = 24 * 60 * 60 * 1000;

/** The day of UTC that a moment is in, since 1970. Figures of the audience count by it. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}
