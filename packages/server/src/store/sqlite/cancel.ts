import { sql } from "kysely";
import type { Connection } from "./connection.ts";
import { failRetries } from "./fail-retries.ts";

/** So many take some 100 ms, for which nobody else can write. */
export const mostRetries = 10_000;

/**
 * scheduled, sending or paused -> cancelled. Its open batches are cancelled with it and keep their lease, so that what
 * is on its way can still be counted. Then retries become `failed` (`failIdle`), as many as one transaction may take.
 * @param projectId null: whichever project it belongs to
 * @returns false, with nothing written, if it has ended or is not there
 */
export async function cancelMessage(
  transaction: Connection,
  { id, projectId }: { id: string; projectId: number | null },
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("messages")
    .set({ state: "cancelled", ended_at_ms: nowMs })
    .where("id", "=", id)
    .where("state", "in", ["scheduled", "sending", "paused"])
    .$if(projectId !== null, (query) => query.where("project_id", "=", projectId))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await cancelBatches(transaction, [id]);
  await failIdle(transaction, id, nowMs);
  return true;
}

/** Batches of messages that are cancelled. Retries that nobody works on are left to `failIdle`. */
export async function cancelBatches(
  transaction: Connection,
  messageIds: readonly string[],
): Promise<void> {
  await transaction
    .updateTable("batches")
    .set({ state: "cancelled" })
    .where(sql<boolean>`message_id in (select value from json_each(${JSON.stringify(messageIds)}))`)
    .where("state", "=", sql.lit("open"))
    .execute();
}

/**
 * Retries of cancelled batches become `failed`, but for those of a batch whose lease is running: they are left to what
 * ends the lease (`failCancelled`).
 * @returns whether that were all of them; the next transaction may go on, be it this call again or `expireBatches`
 */
export function failIdle(
  transaction: Connection,
  messageId: string,
  nowMs: number,
): Promise<boolean> {
  const idle = sql<boolean>`message_id = ${messageId} and state = 'cancelled'
    and (lease_until_ms is null or lease_until_ms <= ${nowMs})`;
  return failRetries(transaction, idle, reason, nowMs, mostRetries);
}

/** What is left of a cancelled batch when its lease ends. A batch that was not cancelled is left alone. */
export async function failCancelled(
  transaction: Connection,
  batchId: number,
  nowMs: number,
): Promise<void> {
  const batch = sql<boolean>`id = ${batchId} and state = 'cancelled'`;
  await failRetries(transaction, batch, reason, nowMs);
}

const reason = "cancelled";
