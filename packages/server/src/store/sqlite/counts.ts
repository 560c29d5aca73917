/** The five figures of a message, and of each of its batches, which add up to those of the message. */
import type { OutcomeCounts } from "../port.ts";
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
  const { planned, message_id, ...now } = await transaction
    .updateTable("batches")
    .set((row) => ({
      accepted: row("accepted", "+", counts.accepted),
      gone: row("gone", "+", counts.gone),
      retry: row("retry", "+", counts.retry),
      rejected: row("rejected", "+", counts.rejected),
      failed: row("failed", "+", counts.failed),
    }))
    .where("id", "=", batchId)
    .returning(["message_id", "planned", "accepted", "gone", "retry", "rejected", "failed"])
    .executeTakeFirstOrThrow();
  const counted = now.accepted + now.gone + now.retry + now.rejected + now.failed;
  const more = Math.max(0, counted - planned);
  if (more > 0) {
    await transaction
      .updateTable("batches")
      .set({ planned: counted })
      .where("id", "=", batchId)
      .execute();
  }
  await transaction
    .updateTable("messages")
    .set((row) => ({
      planned_count: row("planned_count", "+", more),
      accepted: row("accepted", "+", counts.accepted),
      gone: row("gone", "+", counts.gone),
      retry: row("retry", "+", counts.retry),
      rejected: row("rejected", "+", counts.rejected),
      failed: row("failed", "+", counts.failed),
    }))
    .where("id", "=", message_id)
    .execute();
}
