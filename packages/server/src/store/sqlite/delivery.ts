import { sql } from "kysely";
import type { DeliveryStore, NotAccepting, PushOriginKey, QueueFigures } from "../port.ts";
import { batchPage, dueRetries } from "./batch-page.ts";
import { cancelMessage } from "./cancel.ts";
import { checkpoint, renewedReason } from "./checkpoint.ts";
import { putBack } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { anyToExpire, expireBatches, finishMessages, pauseHeld, resumeFreed } from "./endings.ts";
import {
  confirmStopped,
  extendLease,
  findDueProbes,
  findReadyDestinations,
  findReadyMessages,
  freeEndedLeases,
  isStopping,
  lease,
  leaseHeld,
  release,
  releaseAll,
} from "./leases.ts";
import { movedReason } from "./moved.ts";
import { nextToPlan, planPart, startSending } from "./plan.ts";
import { giveUp, hasGivenUp, lastAcceptedAt } from "./proven-origins.ts";
import { splitHeldAndProven } from "./split.ts";

export function deliveryStore(connection: Connection, reading: Connection): DeliveryStore {
  const atomically = <Result>(write: (transaction: Connection) => Promise<Result>) =>
    connection.transaction().execute(write);

  return {
    nextToPlan: (nowMs) => nextToPlan(connection, nowMs),
    startSending: (messageId, nowMs) => startSending(connection, messageId, nowMs),
    planPart: (message, options, nowMs) =>
      atomically((transaction) => planPart(transaction, message, options, nowMs)),

    freeEndedLeases: (owner, nowMs) => freeEndedLeases(connection, owner, nowMs),
    readyDestinations: (nowMs) => findReadyDestinations(connection, nowMs),
    readyMessages: (destination, nowMs) => findReadyMessages(connection, destination, nowMs),
    lease: (destination, messageId, to, nowMs) =>
      lease(connection, destination, messageId, to, nowMs),
    dueProbes: (nowMs, limit) => findDueProbes(connection, nowMs, limit),
    leaseHeld: (at, to, nowMs) => leaseHeld(connection, at, to, nowMs),
    extendLease: (held, untilMs) => extendLease(connection, held, untilMs),
    release: (held) => release(connection, held),
    confirmStopped: (held) => confirmStopped(connection, held),
    isStopping: (messageId, nowMs) => isStopping(connection, messageId, nowMs),
    splitOff: (batch, owner) => splitHeldAndProven(connection, batch, owner),
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
    async waitingAt(held) {
      const { rows } = await waitingAt(held).execute(reading);
      return rows[0]?.waiting ?? 0;
    },
    lastAcceptedAt: () => lastAcceptedAt(connection),
    hasGivenUp: (pushOrigin) => hasGivenUp(connection, pushOrigin),
    giveUp: (pushOrigin, nowMs) => giveUp(connection, pushOrigin, nowMs),
    notAccepting: () => notAccepting(reading),
  };
}

/** Reads the open batches of the push origin. */
export function waitingAt({ pushOrigin, vapidKeyId }: PushOriginKey) {
  return sql<{ waiting: number }>`
    select coalesce(sum(max(planned - settled, 0)), 0) as waiting from batches indexed by batches_of_origin
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
  const { rows } = await sql<NotAccepting>`
    select exception.push_origin as pushOrigin, batches.vapid_key_id as vapidKeyId, reason, max(detail) as detail,
      count(*) as registrations, min(batches.due_at_ms) as sinceMs
    from batches
      join message_exceptions as exception on batch_id = batches.id and kind = 'retry'
        and reason not in (${movedReason}, ${renewedReason})
      left join proven_origins on proven_origins.push_origin = exception.push_origin
        and proven_origins.vapid_key_id = batches.vapid_key_id
    where state = 'open' and batches.retry > 0
      and (accepted_at_ms is null or accepted_at_ms < batches.due_at_ms)
    group by exception.push_origin, batches.vapid_key_id, reason
    order by registrations desc, exception.push_origin, batches.vapid_key_id, reason`.execute(
    connection,
  );
  return rows;
}
