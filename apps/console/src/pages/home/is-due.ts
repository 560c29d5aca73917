/** Whether the time for a probe has come: it is made with the next push that is due, however long that takes. */
export function isDue(nextProbeAt: string, nowMs: number): boolean {
  return Date.parse(nextProbeAt) <= nowMs;
}
