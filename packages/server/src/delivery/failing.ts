const firstPauseMs = 400;
/** A fault may last, such as a damaged database: then the log gets a line so seldom. */
const longestPauseMs = 30_000;

/** How long work is left alone that has failed so many times in a row. */
export function pauseAfterMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}

/** Kinds of work that have failed and are left alone for a while, by their names. */
export type Failing = {
  readonly isPaused: (name: string) => boolean;
  readonly failed: (name: string) => void;
  readonly worked: (name: string) => void;
};

export function createFailing(now: () => number): Failing {
  const failing = new Map<string, { failures: number; untilMs: number }>();
  return {
    isPaused: (name) => (failing.get(name)?.untilMs ?? 0) > now(),
    failed(name) {
      const failures = (failing.get(name)?.failures ?? 0) + 1;
      failing.set(name, { failures, untilMs: now() + pauseAfterMs(failures) });
    },
    worked(name) {
      failing.delete(name);
    },
  };
}
