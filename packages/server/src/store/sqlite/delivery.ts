import { sql } from "kysely";
import type { DeliveryStore, QueueFigures } from "../port.ts";
import { batchPage, dueRetries } from "./batch-page.ts";
import { cancelMessage } from "./cancel.ts";
import { checkpoint } from "./checkpoint.ts";
import { putBack } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { anyToExpire, expireBatches, finish, pause, resume } from "./endings.ts";
import {
  extendLease,
  findReadyDestinations,
  findReadyMessages,
  lease,
  release,
  releaseAll,
} from "./leases.ts";
import { nextToPlan, planPart, startSending } from "./plan.ts";

export function deliveryStore(connection: Connection): DeliveryStore {
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
    finishMessages: (nowMs) => idsOf(finish(connection, nowMs)),
    pauseHeld: () => idsOf(pause(connection)),
    resumeFreed: () => idsOf(resume(connection)),
    cancelUnreadable: (id, nowMs) =>
      atomically((transaction) => cancelMessage(transaction, { id, projectId: null }, nowMs)),

    clockPutBack: (nowMs) => atomically((transaction) => putBack(transaction, nowMs)),

    queue: (nowMs) => queue(connection, nowMs).executeTakeFirstOrThrow(),
  };
}

async function idsOf(changed: { execute(): Promise<{ id: string }[]> }): Promise<string[]> {
  return (await changed.execute()).map(({ id }) => id);
}

/** Reads every batch that has not ended. */
export function queue(connection: Connection, nowMs: number) {
  const waits = sql<boolean>`ready_at_ms <= ${nowMs} and (lease_until_ms is null or lease_until_ms <= ${nowMs})`;
  return connection
    .selectFrom("batches")
    .select((row) => [
      row.fn.countAll<number>().as("openBatches"),
      row.fn.coalesce(row.fn.sum<number>("retry"), sql.lit(0)).as("retries"),
      row.fn.min<number | null>("ready_at_ms").filterWhere(waits).as("oldestReadyMs"),
    ])
    .where("state", "=", sql.lit("open"))
    .$castTo<QueueFigures>();
}
