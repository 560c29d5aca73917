/** What a clock that was ahead has left behind, once it has been put back. */
import { sql } from "kysely";
import type { Connection } from "./connection.ts";

/** What lies so far ahead was written under another clock; less is chance. */
const marginMs = 60_000;

/** To be called in a transaction. */
export async function putBack(transaction: Connection, nowMs: number): Promise<void> {
  const aheadMs = nowMs + marginMs;
  await transaction
    .updateTable("messages")
    .set({ scheduled_at_ms: nowMs, created_at_ms: nowMs })
    .where(sql<boolean>`state in ('scheduled', 'sending', 'paused')`)
    .where("created_at_ms", ">", aheadMs)
    .where("local_time", "is", null)
    // At once, and not for a moment that somebody named.
    .where(sql<boolean>`scheduled_at_ms <= created_at_ms`)
    .execute();
  // A batch without a local time is made when it is due: one whose time is to come was made too early.
  await transaction
    .updateTable("batches")
    .set({
      due_at_ms: nowMs,
      expires_at_ms: sql<number>`expires_at_ms - (due_at_ms - ${nowMs})`,
      ready_at_ms: sql<number>`ready_at_ms - (due_at_ms - ${nowMs})`,
    })
    .where("state", "=", sql.lit("open"))
    .where("due_at_ms", ">", aheadMs)
    .where(
      sql<boolean>`exists (select 1 from messages where messages.id = message_id and local_time is null)`,
    )
    .execute();
  // Not before the batch is due: who moved under the other clock waits for a local time like everybody else.
  await transaction
    .updateTable("message_exceptions")
    .set({
      due_at_ms: sql<number>`max(${nowMs}, due_at_ms - (changed_at_ms - ${nowMs}),
        ifnull((select due_at_ms from batches where id = batch_id), 0))`,
      changed_at_ms: nowMs,
    })
    .where("kind", "=", sql.lit("retry"))
    .where("changed_at_ms", ">", aheadMs)
    .execute();
  await transaction
    .updateTable("batches")
    .set({
      ready_at_ms: sql<number>`(select ifnull(min(due_at_ms), ready_at_ms) from message_exceptions
        where batch_id = batches.id and kind = 'retry')`,
    })
    .where("state", "=", sql.lit("open"))
    .where(sql<boolean>`cursor >= last_id`)
    .where("ready_at_ms", ">", nowMs)
    .execute();
}
