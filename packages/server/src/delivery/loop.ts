import type { Log } from "../log.ts";

export type Loop = {
  /** Looks for work at once instead of at the next poll. */
  wake(): void;
  /** Begins nothing more and waits for the step that runs. Repeatable. */
  stop(): Promise<void>;
};

/**
 * Works while there is work, then looks again every `pollMs`: another process (`sineta send`) may have put a
 * message into the database, and a retry's time may have come. A step that throws is logged and tried again at
 * the next poll; nothing is lost, since every step starts from what the database says.
 */
export function startLoop(
  workOnce: () => Promise<boolean>,
  { pollMs, log }: { pollMs: number; log: Log },
): Loop {
  let stopping = false;
  let wakeUp: (() => void) | undefined;
  let awake = false;

  async function pause(): Promise<void> {
    if (awake || stopping) return;
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
      if (stopping) return;
      awake = false;
      const worked = await workOnce().catch((error: unknown) => {
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
      stopping = true;
      wake();
      return ended;
    },
  };
}
