import type { PushMetrics } from "../metrics/metrics.ts";
import type {
  Batch,
  Checkpoint,
  Checkpointed,
  Delivered,
  OutcomeCounts,
  Split,
} from "../store/port.ts";
import { vendorOf } from "../webpush/push-hosts.ts";
import type { TroubleLog } from "./trouble-log.ts";
import type { Retried, Work, WorkParts } from "./work.ts";
import { untilWritten, type WriteParts } from "./write.ts";

export type WritePageParts = WriteParts &
  Pick<WorkParts, "store" | "owner" | "now"> & {
    metrics: PushMetrics;
    troubles: TroubleLog;
  };

export type SentPage = {
  batch: Batch;
  work: Work;
  /** What has come of it, in any order. */
  delivered: readonly Delivered[];
  /** Where the cursor stands from now on. */
  to: number;
  splits: readonly Split[];
};

/**
 * Writes what has come of a page, tells the log and counts it.
 * @param signal aborted when the server stops
 * @returns null if the lease was lost: nothing was written
 */
export async function writePage(
  { batch, work, delivered, to, splits }: SentPage,
  signal: AbortSignal,
  parts: WritePageParts,
): Promise<Checkpointed | null> {
  const { store, owner, now, metrics, troubles, log } = parts;
  const byId = new Map(delivered.map((each) => [each.registrationId, each]));
  const retried = work.retries.flatMap(({ recipient, attempts }): Retried[] => {
    const each = byId.get(recipient.registrationId);
    return each === undefined ? [] : [{ attempts, delivered: each }];
  });
  const checkpoint: Checkpoint = {
    batch,
    owner,
    to,
    walked: work.walk.flatMap(({ recipient }) => byId.get(recipient.registrationId) ?? []),
    retried: [...retried, ...work.notAgain],
    splits,
  };
  let written: Checkpointed | null = null;
  const attempt = async () => {
    written = await store.checkpoint(checkpoint, now());
  };
  await untilWritten(attempt, parts, signal);
  troubles.tell(batch.messageId, batch.pushService, delivered);
  if (written === null) {
    log.warn({ batchId: batch.id }, "a page came too late: its lease had ended");
  } else countPushes(batch, written, metrics);
  return written;
}

const outcomes = [
  "accepted",
  "gone",
  "retry",
  "rejected",
  "failed",
] as const satisfies readonly (keyof OutcomeCounts)[];

function countPushes({ pushService }: Batch, { counts }: Checkpointed, metrics: PushMetrics): void {
  const service = vendorOf(pushService);
  for (const outcome of outcomes) {
    if (counts[outcome] > 0) metrics.pushes(service, outcome, counts[outcome]);
  }
}
