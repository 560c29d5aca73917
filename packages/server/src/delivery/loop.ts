import type { Log } from "../log.ts";

export type Loop = {
  /** Looks for work at once instead of at the next poll. */
  wake(): void;
  /** Begins nothing more, tells the step that runs by its signal, and waits for it. Repeatable. */
  stop(): Promise<void>;
};

/**
 * Works while there is work, then looks again every `pollMs`: another process (`sineta send`) may have put a
 * message into the database, and a retry's time may have come. A step that throws is logged and tried again at
 * the next poll; nothing is lost, since every step starts from what the database says.
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

  async function pause(): Promise<void> {
    if (awake || stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wakeUp = undefined;
  }

  async function run(): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted) return;
      awake = false;
      const worked = await workOnce(stopping.signal, wake).catch((error: unknown) => {
        log.error({ err: error }, "delivery step failed");
        return false;
      });
      if (!worked) await pause();
    }
  }

  function wake(): void {
    awake = true;
    wakeUp?.();
  }

  const ended = run();
  return {
    wake,
    stop: () => {
      stopping.abort();
      wake();
      return ended;
    },
  };
}
