/**
 * Asks at most once in so many milliseconds, and gives everybody the same answer meanwhile: anybody may ask whether the
 * server can work, and finding out writes to the disk.
 * @param ask rejects if that cannot be said
 */
export function askedSeldom<Answer>(
  ask: () => Promise<Answer>,
  { everyMs, now }: { everyMs: number; now: () => number },
): () => Promise<Answer> {
  let asked: { atMs: number; answer: Promise<Answer> } | null = null;
  return () => {
    const nowMs = now();
    // Also where the clock was put back.
    if (asked === null || Math.abs(nowMs - asked.atMs) >= everyMs) {
      asked = { atMs: nowMs, answer: ask() };
    }
    return asked.answer;
  };
}
