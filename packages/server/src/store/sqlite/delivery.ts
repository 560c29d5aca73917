import { sql } from "kysely";
import type { DeliveryStore, Destination, NotAccepting, QueueFigures } from "../port.ts";
import { batchPage, dueRetries } from "./batch-page.ts";
import { cancelMessage } from "./cancel.ts";
import { checkpoint, renewedReason } from "./checkpoint.ts";
import { putBack } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { anyToExpire, expireBatches, finishMessages, pauseHeld, resumeFreed } from "./endings.ts";
import {
  extendLease,
  findReadyDestinations,
  findReadyMessages,
  lease,
  release,
  releaseAll,
} from "./leases.ts";
import { movedReason } from "./moved.ts";
import { nextToPlan, planPart, startSending } from "./plan.ts";

export function deliveryStore(connection: Connection, reading: Connection): DeliveryStore {
  const atomically = <Result>(write: (transaction: Connection) => Promise<Result>) =>
    connection.transaction().execute(write);

  return {
    nextToPlan: (nowMs) => nextToPlan(connection, nowMs),
    startSending: (messageId, nowMs) => startSending(connection, messageId, nowMs),
    planPart: (message, options, nowMs) =>
      atomically((transaction) => planPart(transaction, message, options, nowMs)),

    readyDestinations: (owner, nowMs, limit) =>
      findReadyDestinations(connection, owner, nowMs, limit),
    readyMessages: (destination, owner, nowMs) =>
      findReadyMessages(connection, destination, owner, nowMs),
    lease: (destination, messageId, to, nowMs) =>
      lease(connection, destination, messageId, to, nowMs),
    extendLease: (batchId, to) => extendLease(connection, batchId, to),
    release: (batchId, owner) => release(connection, batchId, owner),
    async releaseAll() {
      await releaseAll(connection).execute();
    },

    batchPage: (batch, message, limit) => batchPage(connection, batch, message, limit),
    dueRetries: (batch, message, nowMs, limit) =>
      dueRetries(connection, batch, message, nowMs, limit),
    checkpoint: (page, nowMs) => atomically((transaction) => checkpoint(transaction, page, nowMs)),

    async expireBatches(nowMs) {
      // Asked again and again, and nearly always for nothing: that is no reason to keep other writers waiting.
      if (!(await anyToExpire(connection, nowMs))) return 0;
      return atomically((transaction) => expireBatches(transaction, nowMs));
    },
    finishMessages: async (nowMs) => idsOf(await finishMessages(connection, { nowMs })),
    pauseHeld: async () => idsOf(await pauseHeld(connection, {})),
    resumeFreed: async () => idsOf(await resumeFreed(connection, {})),
    cancelUnreadable: (id, nowMs) =>
      atomically((transaction) => cancelMessage(transaction, { id, projectId: null }, nowMs)),

    clockPutBack: (nowMs) => atomically((transaction) => putBack(transaction, nowMs)),

    queue: (nowMs) => queue(reading, nowMs).executeTakeFirstOrThrow(),
    async waitingAt(destination) {
      const { rows } = await waitingAt(destination).execute(reading);
      return rows[0]?.waiting ?? 0;
    },
    notAccepting: () => notAccepting(reading),
  };
}

/** Reads the destination's batches that have not ended. */
export function waitingAt({ pushOrigin, vapidKeyId }: Destination) {
  return sql<{ waiting: number }>`
    select coalesce(sum(max(planned - (accepted + gone + rejected + failed), 0)), 0) as waiting
    from batches indexed by batches_ready
    where state = 'open' and push_origin = ${pushOrigin} and vapid_key_id = ${vapidKeyId}`;
}

function idsOf({ rows }: { rows: readonly { id: string }[] }): string[] {
  return rows.map(({ id }) => id);
}

/** Reads every batch that has not ended. */
export function queue(connection: Connection, nowMs: number) {
  const isDue = sql<boolean>`due_at_ms <= ${nowMs}`;
  return connection
    .selectFrom("batches")
    .select((row) => [
      row.fn.countAll<number>().as("openBatches"),
      row.fn.coalesce(row.fn.sum<number>("retry"), sql.lit(0)).as("retries"),
      row.fn.min<number | null>("due_at_ms").filterWhere(isDue).as("oldestDueMs"),
    ])
    .where("state", "=", sql.lit("open"))
    .$castTo<QueueFigures>();
}

async function notAccepting(connection: Connection): Promise<NotAccepting[]> {
  // A batch that is walked and has retries left was worked on since for these: what it accepted, it did as it was due.
  const { rows } = await sql<NotAccepting>`
    with accepted as (
      select push_origin, vapid_key_id,
        max(case when state = 'open' and cursor >= last_id then due_at_ms else worked_at_ms end) as at_ms
      from batches where accepted > 0 group by push_origin, vapid_key_id
    )
    select batches.push_origin as pushOrigin, batches.vapid_key_id as vapidKeyId, reason, max(detail) as detail,
      count(*) as registrations, min(batches.due_at_ms) as sinceMs
    from batches
      join message_exceptions on batch_id = batches.id and kind = 'retry' and reason not in (${movedReason}, ${renewedReason})
      left join accepted on accepted.push_origin = batches.push_origin
        and accepted.vapid_key_id = batches.vapid_key_id
    where state = 'open' and batches.retry > 0 and (at_ms is null or at_ms < batches.due_at_ms)
    group by batches.push_origin, batches.vapid_key_id, reason
    order by registrations desc, batches.push_origin, batches.vapid_key_id, reason`.execute(
    connection,
  );
  return rows;
}
