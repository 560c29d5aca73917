import type { Log } from "../log.ts";

export type WriteParts = {
  /** Lets so much time pass; ends early when the signal is aborted. Never rejects. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  log: Log;
};

const firstPauseMs = 250;
const longestPauseMs = 30_000;

/**
 * Writes what has been sent, again and again until it is written: to begin the step anew would send the same pushes
 * again for as long as the disk is full or another program holds the database. Once the signal is aborted there is
 * one last attempt.
 * @param write must be repeatable: an attempt that failed may have been written all the same
 * @throws what the last attempt threw
 */
export async function untilWritten(
  write: () => Promise<unknown>,
  { pause, log }: WriteParts,
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      await write();
      return;
    } catch (error) {
      if (signal.aborted) throw error;
      log.error({ err: error, pauseMs }, "outcomes could not be written, which is tried again");
    }
    await pause(pauseMs, signal);
  }
}
