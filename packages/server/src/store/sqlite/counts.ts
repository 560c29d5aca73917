/** The five figures of a message, and of each of its batches, which add up to those of the message. */
import type { OutcomeCounts } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

export function noCounts(): OutcomeCounts {
  return { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };
}

/**
 * Adds to the figures of a batch and of its message. Who came into the audience after the batch was planned counts as
 * planned from then on.
 */
export async function addCounts(
  transaction: Connection,
  batchId: number,
  counts: OutcomeCounts,
): Promise<void> {
  const { rows } = await addToBatch(transaction, { batchId, ...counts });
  const batch = rows[0];
  if (batch === undefined) throw new Error(`the batch ${batchId} is not there`);
  const { planned, message_id: messageId, ...now } = batch;
  const counted = now.accepted + now.gone + now.retry + now.rejected + now.failed;
  const more = Math.max(0, counted - planned);
  if (more > 0) {
    await transaction
      .updateTable("batches")
      .set({ planned: counted })
      .where("id", "=", batchId)
      .execute();
  }
  await addToMessage(transaction, { messageId, more, ...counts });
}

const addToBatch = compileOnce((connection, counts: OutcomeCounts & { batchId: number }) =>
  connection
    .updateTable("batches")
    .set((row) => ({
      accepted: row("accepted", "+", counts.accepted),
      gone: row("gone", "+", counts.gone),
      retry: row("retry", "+", counts.retry),
      rejected: row("rejected", "+", counts.rejected),
      failed: row("failed", "+", counts.failed),
    }))
    .where("id", "=", counts.batchId)
    .returning(["message_id", "planned", "accepted", "gone", "retry", "rejected", "failed"]),
);

const addToMessage = compileOnce(
  (connection, counts: OutcomeCounts & { messageId: string; more: number }) =>
    connection
      .updateTable("messages")
      .set((row) => ({
        planned_count: row("planned_count", "+", counts.more),
        accepted: row("accepted", "+", counts.accepted),
        gone: row("gone", "+", counts.gone),
        retry: row("retry", "+", counts.retry),
        rejected: row("rejected", "+", counts.rejected),
        failed: row("failed", "+", counts.failed),
      }))
      .where("id", "=", counts.messageId),
);
