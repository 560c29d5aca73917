/** How it ended: the server confirmed that it stopped, or did not in time, or there is none. */
export type Stopped = "confirmed" | "unconfirmed" | "no-server";

export type StoppedParts = {
  /** Whether a server runs on the data folder. */
  isServing: () => boolean;
  /** Whether a server has not confirmed yet that it begins no push of the message any more. */
  isStopping: () => Promise<boolean>;
  pause: (milliseconds: number) => Promise<unknown>;
};

const everyMs = 100;
export const patienceMs = 30_000;

/** Waits until the running server begins no push of a message any more that was cancelled in its database. */
export async function untilStopped({
  isServing,
  isStopping,
  pause,
}: StoppedParts): Promise<Stopped> {
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += everyMs) {
    // Also in the meantime: a server that was killed confirms nothing.
    if (!isServing()) return "no-server";
    if (!(await isStopping())) return "confirmed";
    await pause(everyMs);
  }
  return "unconfirmed";
}
