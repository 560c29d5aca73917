import type { Log } from "../log.ts";

const firstPauseMs = 400;
/** A fault may last, such as a damaged database: then the log gets a line so seldom. */
const longestPauseMs = 30_000;

/** How long the loop pauses after so many steps in a row have failed. */
export function pauseAfterMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}

/** One step may fail for a moment, while another process holds the database. */
const failuresOfFault = 3;

export type Loop = {
  /** Looks for work at once instead of at the next poll. */
  wake(): void;
  /** @throws what the last step has thrown, if no step succeeds any more */
  check(): void;
  /** Begins nothing more, tells the step that runs by its signal, and waits for it. Repeatable. */
  stop(): Promise<void>;
};

/**
 * Works while there is work, then looks again every `pollMs`: another process (`sineta send`) may have put a
 * message into the database, and a retry's time may have come. A step that throws is logged and tried again, later each time;
 * nothing is lost, since every step starts from what the database says.
 * @param workOnce one step; its signal is aborted to stop, and what it leaves running calls `wake` when there may be
 *   more to do
 */
export function startLoop(
  workOnce: (signal: AbortSignal, wake: () => void) => Promise<boolean>,
  { pollMs, log }: { pollMs: number; log: Log },
): Loop {
  const stopping = new AbortController();
  let wakeUp: (() => void) | undefined;
  let awake = false;
  let failures = 0;
  let fault: unknown;

  async function pause(): Promise<void> {
    if (awake || stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(pollMs, pauseAfterMs(failures)));
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wakeUp = undefined;
  }

  async function step(): Promise<boolean> {
    try {
      const worked = await workOnce(stopping.signal, wake);
      failures = 0;
      return worked;
    } catch (error) {
      failures += 1;
      fault = error;
      log.error({ err: error }, "delivery step failed");
      return false;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted) return;
      awake = false;
      if (!(await step())) await pause();
    }
  }

  function wake(): void {
    awake = true;
    wakeUp?.();
  }

  const ended = run();
  return {
    wake,
    check: () => {
      if (failures >= failuresOfFault) throw fault;
    },
    stop: () => {
      stopping.abort();
      wake();
      return ended;
    },
  };
}
