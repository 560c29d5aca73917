const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * How long to wait before the next connection to a push origin. One that came to nothing is nothing yet: the next is
 * opened at once. From the second on there is a pause that doubles, so that a push service which is down, or hangs up
 * on everybody, is asked about once in two seconds and not as fast as the network allows. It is short beside a
 * request's deadline: whoever waits through it holds back the sending meanwhile, and hears of it in time.
 * @param fruitless connections in a row that could not be made or ended without a single answer
 */
export function reconnectPauseMs(fruitless: number): number {
  if (fruitless < 2) return 0;
  return Math.min(firstPauseMs * 2 ** (fruitless - 2), longestPauseMs);
}

export type Reconnect = {
  /** Whether a connection may be opened now. */
  readonly allowed: () => boolean;
  /** Whether the last connection came to nothing. */
  readonly inDoubt: () => boolean;
  readonly failed: () => void;
  /** The push service answered, or nobody wanted anything of it for long. */
  readonly forget: () => void;
};

/** @param onAllowed called when a pause is over */
export function createReconnect(onAllowed: () => void): Reconnect {
  let fruitless = 0;
  let pause: NodeJS.Timeout | null = null;

  function stop(): void {
    if (pause !== null) clearTimeout(pause);
    pause = null;
  }

  return {
    allowed: () => pause === null,
    inDoubt: () => fruitless > 0,
    failed() {
      fruitless += 1;
      const pauseMs = reconnectPauseMs(fruitless);
      if (pauseMs === 0) return;
      stop();
      // Whoever waits has a deadline of its own that keeps the process alive.
      pause = setTimeout(() => {
        pause = null;
        onAllowed();
      }, pauseMs).unref();
    },
    forget() {
      fruitless = 0;
      stop();
    },
  };
}
