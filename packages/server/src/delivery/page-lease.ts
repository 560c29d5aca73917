import type { Batch, DeliveryStore } from "../store/port.ts";
import { keepLease, type LeaseParts } from "./lease.ts";
import type { PagesUnderWay, UnderWay, Withdraw } from "./under-way.ts";
import { untilWritten, type WriteParts } from "./write.ts";

export type PageLeaseParts = LeaseParts &
  WriteParts & {
    store: Pick<DeliveryStore, "release">;
    owner: string;
    underWay: PagesUnderWay;
    withdraw: Withdraw;
  };

/**
 * Holds the lease of a batch while a page of it is worked on. The page ends early if the server stops, the message is cancelled or
 * the lease is lost. If the work fails before it has written, the batch is given back.
 * @param from the page that this one goes on from, if any
 */
export async function underLease(
  batch: Batch,
  signal: AbortSignal,
  parts: PageLeaseParts,
  work: (page: UnderWay) => Promise<void>,
  from?: UnderWay,
): Promise<void> {
  const { store, owner, underWay, withdraw } = parts;
  const { id, epoch, messageId } = batch;
  const lease = { id, epoch, owner };
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener("abort", end);
  if (signal.aborted || from?.ending.signal.aborted === true) end();
  const isCancelled = from?.isCancelled ?? false;
  const left = from?.left ?? new Set<number>();
  const page: UnderWay = { messageId, lease, ending, isCancelled, left, turns: [] };
  const kept = keepLease(lease, parts, () => {
    end();
    void withdraw({ messageId });
  });
  underWay.add(page);
  try {
    // It may have been cancelled before it was under way.
    if (from === undefined) await underWay.stopEnded();
    await work(page);
  } catch (error) {
    // Nobody else would, as long as this server runs.
    await untilWritten(() => store.release(lease), parts, signal);
    throw error;
  } finally {
    kept.stop();
    underWay.delete(page);
    signal.removeEventListener("abort", end);
  }
}
