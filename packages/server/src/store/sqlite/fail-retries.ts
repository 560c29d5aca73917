import { sql, type Expression, type SqlBool } from "kysely";
import type { StoreReason } from "../port.ts";
import type { Connection } from "./connection.ts";
import { addToMessage, noCounts } from "./counts.ts";

/**
 * What is left to be tried again in these batches becomes `failed`, in the figures of the message too. For batches
 * that end otherwise than by being sent; to be called in the transaction that ends them.
 * @param of which batches: a condition on columns of `batches`
 * @param reason a stable code: why
 * @param mostRetries where more are left than that, it does some of the batches, at least one
 * @returns whether it did all of them
 */
export async function failRetries(
  transaction: Connection,
  of: Expression<SqlBool>,
  reason: StoreReason,
  nowMs: number,
  mostRetries = Infinity,
): Promise<boolean> {
  const found = await transaction
    .selectFrom("batches")
    .select(["id", "message_id", "push_service", "retry"])
    .where(of)
    .where("retry", ">", 0)
    .execute();
  const batches = firstOf(found, mostRetries);
  if (batches.length === 0) return true;
  const ids = sql<number>`(select value from json_each(${JSON.stringify(batches.map(({ id }) => id))}))`;
  await transaction
    .updateTable("message_exceptions")
    .set({ kind: "failed", batch_id: null, due_at_ms: null, reason, changed_at_ms: nowMs })
    .where("batch_id", "in", ids)
    .where("kind", "=", sql.lit("retry"))
    .execute();
  await transaction
    .updateTable("batches")
    .set((row) => ({ settled: row("settled", "+", row.ref("retry")), retry: 0 }))
    .where("id", "in", ids)
    .execute();
  for (const own of Map.groupBy(batches, (batch) =>
    JSON.stringify([batch.message_id, batch.push_service]),
  ).values()) {
    const [
      { message_id: messageId, push_service: pushService } = { message_id: "", push_service: "" },
    ] = own;
    const failed = own.reduce((sum, batch) => sum + batch.retry, 0);
    const change = { ...noCounts(), failed, retry: -failed };
    await addToMessage(transaction, { ...change, messageId, pushService, planned: 0 });
  }
  return batches.length === found.length;
}

/** The first of them that have no more retries than that together, at least one. */
export function firstOf<Batch extends { retry: number }>(
  batches: Batch[],
  mostRetries: number,
): Batch[] {
  let retries = 0;
  const end = batches.findIndex(({ retry }, index) => {
    retries += retry;
    return index > 0 && retries > mostRetries;
  });
  return end === -1 ? batches : batches.slice(0, end);
}
