/** How batches and messages end, pause and go on without a push. */
import { sql } from "kysely";
import { mostRetries } from "./cancel.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { failRetries, firstOf } from "./fail-retries.ts";

/** With `mostRetries` it bounds the transaction, which keeps everybody else waiting. */
const mostBatches = 100;

export function expired(connection: Connection, nowMs: number) {
  return connection
    .selectFrom("batches")
    .select(["id", "retry"])
    .where("state", "=", sql.lit("open"))
    .where("expires_at_ms", "<=", nowMs)
    .where(nobodyWorks(nowMs))
    .orderBy("expires_at_ms")
    .limit(mostBatches);
}

function nobodyWorks(nowMs: number) {
  return sql<boolean>`(lease_until_ms is null or lease_until_ms <= ${nowMs})`;
}

/** Cancelled while somebody worked on them, whose lease has ended since. */
export function abandoned(nowMs: number) {
  return sql<boolean>`state = 'cancelled' and retry > 0 and ${nobodyWorks(nowMs)}`;
}

/** Whether `expireBatches` would do anything. */
export async function anyToExpire(connection: Connection, nowMs: number): Promise<boolean> {
  const { rows } = await toExpire(connection, { nowMs });
  return rows.length > 0;
}

const toExpire = compileOnce((connection, { nowMs }: { nowMs: number }) => {
  const left = connection.selectFrom("batches").select("id").where(abandoned(nowMs));
  return sql`select 1 where exists ${expired(connection, nowMs)} or exists ${left}`;
});

/** To be called in a transaction. Does some of them where there are very many. */
export async function expireBatches(transaction: Connection, nowMs: number): Promise<number> {
  await failRetries(transaction, abandoned(nowMs), "cancelled", nowMs, mostRetries);
  const ended = firstOf(await expired(transaction, nowMs).execute(), mostRetries);
  if (ended.length === 0) return 0;
  const ids = JSON.stringify(ended.map(({ id }) => id));
  const those = sql<boolean>`id in (select value from json_each(${ids}))`;
  await transaction.updateTable("batches").set({ state: "expired" }).where(those).execute();
  await failRetries(transaction, those, "expired", nowMs);
  return ended.length;
}

const plannedToTheEnd = sql<boolean>`cursor >= watermark`;
const openBatch = sql`select 1 from batches where batches.message_id = messages.id and batches.state = 'open'`;

export function finish(connection: Connection, nowMs: number) {
  return (
    connection
      .updateTable("messages")
      .set({ state: "done", ended_at_ms: nowMs })
      // Of a thousand messages they are one or two, which no statistics of the column tell.
      .where(sql<boolean>`unlikely(state in ('sending', 'paused'))`)
      .where(plannedToTheEnd)
      .where(sql<boolean>`not exists (${openBatch})`)
      .returning("id")
  );
}

export function pause(connection: Connection) {
  return connection
    .updateTable("messages")
    .set({ state: "paused" })
    .where("state", "=", sql.lit("sending"))
    .where(plannedToTheEnd)
    .where(sql<boolean>`exists (${openBatch})`)
    .where(sql<boolean>`not exists (${openBatch} and held = 0)`)
    .returning("id");
}

export function resume(connection: Connection) {
  return connection
    .updateTable("messages")
    .set({ state: "sending" })
    .where("state", "=", sql.lit("paused"))
    .where(sql<boolean>`exists (${openBatch} and held = 0)`)
    .returning("id");
}

/** These three: ids of the messages that have changed. */
export const finishMessages = compileOnce((connection, { nowMs }: { nowMs: number }) =>
  finish(connection, nowMs),
);
export const pauseHeld = compileOnce(pause);
export const resumeFreed = compileOnce(resume);
