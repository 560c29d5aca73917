import type { Log } from "../log.ts";
import type { DeliveryStore } from "../store/port.ts";

export type LeaseParts = {
  store: Pick<DeliveryStore, "extendLease">;
  owner: string;
  leaseMs: number;
  now: () => number;
  log: Log;
};

/**
 * Extends a lease for as long as a page of it is worked on: a page may take longer than a lease where a push service is slow or
 * the disk is full. Who misses that loses the lease, and its checkpoint writes nothing.
 * @returns what stops it
 */
export function keepLease(
  batchId: number,
  { store, owner, leaseMs, now, log }: LeaseParts,
): { stop: () => void } {
  const timer = setInterval(() => {
    store.extendLease(batchId, { owner, untilMs: now() + leaseMs }).catch((error: unknown) => {
      log.warn({ err: error, batchId }, "a lease could not be extended");
    });
  }, leaseMs / 3);
  return {
    stop: () => {
      clearInterval(timer);
    },
  };
}
