import type { Log } from "../log.ts";
import type { DeliveryStore, HeldLease } from "../store/port.ts";

export type LeaseParts = {
  store: Pick<DeliveryStore, "extendLease">;
  leaseMs: number;
  now: () => number;
  log: Log;
};

/**
 * Extends a lease for as long as a page of it is worked on: a page may take longer than a lease where a push service is slow or
 * the disk is full.
 * @param onLost called once if the lease is another server's, or could not be extended until it ended: the page is to
 *   begin nothing more
 * @returns what stops it
 */
export function keepLease(
  lease: HeldLease,
  { store, leaseMs, now, log }: LeaseParts,
  onLost: () => void,
): { stop: () => void } {
  let untilMs = now() + leaseMs;
  let isOver = false;

  function stop(): void {
    isOver = true;
    clearInterval(timer);
  }

  function lost(): void {
    stop();
    log.warn({ batchId: lease.id }, "a lease was lost: its page ends at once");
    onLost();
  }

  async function extend(): Promise<void> {
    const nextMs = now() + leaseMs;
    let isHeld = true;
    try {
      isHeld = await store.extendLease(lease, nextMs);
      untilMs = nextMs;
    } catch (error) {
      log.warn({ err: error, batchId: lease.id }, "a lease could not be extended");
      isHeld = now() < untilMs;
    }
    // What the page has written has ended its lease, too.
    if (!isHeld && !isOver) lost();
  }

  const timer = setInterval(() => void extend(), leaseMs / 3);
  return { stop };
}
