/**
 * Asks at most once in so many milliseconds, and gives everybody the same answer meanwhile: anybody may ask whether the
 * server can work, and finding out writes to the disk.
 * @param check rejects if it cannot
 */
export function askedSeldom(
  check: () => Promise<void>,
  { everyMs, now }: { everyMs: number; now: () => number },
): () => Promise<void> {
  let asked: { atMs: number; answer: Promise<void> } | null = null;
  return () => {
    const nowMs = now();
    // Also where the clock was put back.
    if (asked === null || Math.abs(nowMs - asked.atMs) >= everyMs) {
      asked = { atMs: nowMs, answer: check() };
    }
    return asked.answer;
  };
}
