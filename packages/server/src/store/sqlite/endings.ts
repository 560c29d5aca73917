/** How batches and messages end, pause and go on without a push. */
import { sql } from "kysely";
import type { Connection } from "./connection.ts";
import { failRetries } from "./fail-retries.ts";

/** Bounds the transaction, which keeps everybody else waiting. */
const mostAtOnce = 100;

export function expired(connection: Connection, nowMs: number) {
  return connection
    .selectFrom("batches")
    .select("id")
    .where("state", "=", sql.lit("open"))
    .where("expires_at_ms", "<=", nowMs)
    .where(nobodyWorks(nowMs))
    .orderBy("expires_at_ms")
    .limit(mostAtOnce);
}

function nobodyWorks(nowMs: number) {
  return sql<boolean>`(lease_until_ms is null or lease_until_ms <= ${nowMs})`;
}

/** Cancelled while somebody worked on them, whose lease has ended since. */
export function abandoned(nowMs: number) {
  return sql<boolean>`state = 'cancelled' and retry > 0 and ${nobodyWorks(nowMs)}`;
}

/** To be called in a transaction. */
export async function expireBatches(transaction: Connection, nowMs: number): Promise<number> {
  await failRetries(transaction, abandoned(nowMs), "cancelled", nowMs);
  const ended = await transaction
    .updateTable("batches")
    .set({ state: "expired" })
    .where("id", "in", expired(transaction, nowMs))
    .returning("id")
    .execute();
  if (ended.length === 0) return 0;
  const ids = JSON.stringify(ended.map(({ id }) => id));
  const those = sql<boolean>`id in (select value from json_each(${ids}))`;
  await failRetries(transaction, those, "expired", nowMs);
  return ended.length;
}

const plannedToTheEnd = sql<boolean>`cursor >= watermark`;
const openBatch = sql`select 1 from batches where batches.message_id = messages.id and batches.state = 'open'`;
const heldByBreaker = sql`exists (select 1 from breakers
  where breakers.push_origin = batches.push_origin and breakers.vapid_key_id = batches.vapid_key_id)`;

export function finish(connection: Connection, nowMs: number) {
  return connection
    .updateTable("messages")
    .set({ state: "done", ended_at_ms: nowMs })
    .where(sql<boolean>`state in ('sending', 'paused')`)
    .where(plannedToTheEnd)
    .where(sql<boolean>`not exists (${openBatch})`)
    .returning("id");
}

export function pause(connection: Connection) {
  return connection
    .updateTable("messages")
    .set({ state: "paused" })
    .where("state", "=", sql.lit("sending"))
    .where(plannedToTheEnd)
    .where(sql<boolean>`exists (${openBatch})`)
    .where(sql<boolean>`not exists (${openBatch} and not ${heldByBreaker})`)
    .returning("id");
}

export function resume(connection: Connection) {
  return connection
    .updateTable("messages")
    .set({ state: "sending" })
    .where("state", "=", sql.lit("paused"))
    .where(sql<boolean>`exists (${openBatch} and not ${heldByBreaker})`)
    .returning("id");
}
