import { sql, type RawBuilder } from "kysely";
import type { RetentionStore } from "../port.ts";
import type { Connection } from "./connection.ts";
import { goneBefore } from "./gone-endpoints.ts";
import { removeRegistrations } from "./removed-registrations.ts";

export function retentionStore(connection: Connection, reading: Connection): RetentionStore {
  return {
    async removeEnded(beforeMs, limit) {
      // Most of the time there is none: that takes nobody's turn to write.
      if ((await endedBefore(connection, beforeMs, 1).execute()).length === 0) return 0;
      return connection.transaction().execute(async (transaction) => {
        const ended = await endedBefore(transaction, beforeMs, limit).execute();
        await removeRegistrations(
          transaction,
          ended.map(({ id }) => id),
        );
        return ended.length;
      });
    },

    async oldestEnded(beforeMs) {
      const firsts = await endedFirst(reading).execute();
      const oldestMs = Math.min(...firsts.map(({ endedAtMs }) => endedAtMs ?? Infinity));
      return oldestMs < beforeMs ? oldestMs : null;
    },

    removeReceipts: (beforeMs, limit) =>
      connection.transaction().execute(async (transaction) => {
        // Not `beforeMs` itself: a clock that ran ahead for an hour would shut out receipts of messages to come.
        const { last } = await transaction
          .selectFrom("messages")
          .select((row) => row.fn.max("ended_at_ms").as("last"))
          .where("ended_at_ms", "<", beforeMs)
          .executeTakeFirstOrThrow();
        if (last === null) return 0;
        await transaction
          .updateTable("projects")
          .set({ receipts_from_ms: last + 1 })
          .where("receipts_from_ms", "<=", last)
          .execute();
        const { numAffectedRows } = await oldReceipts(beforeMs, limit).execute(transaction);
        return Number(numAffectedRows ?? 0);
      }),

    async removeExceptions(beforeMs, limit) {
      const { numAffectedRows } = await oldExceptions(beforeMs, limit).execute(connection);
      return Number(numAffectedRows ?? 0);
    },

    removeHosts: (limit) =>
      connection.transaction().execute(async (transaction) => {
        const breakers = await unusedBreakers(limit).execute(transaction);
        const givenUp = await unusedGivenUp(limit).execute(transaction);
        return Math.max(Number(breakers.numAffectedRows), Number(givenUp.numAffectedRows));
      }),

    async removeGoneEndpoints(beforeMs, limit) {
      const { numDeletedRows } = await goneBefore(
        connection,
        beforeMs,
        limit,
      ).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    async removeBatches(limit) {
      const { numDeletedRows } = await endedBatches(connection, limit).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    removeExpired: (nowMs, limit) =>
      connection.transaction().execute(async (transaction) => {
        const invitations = await transaction
          .deleteFrom("invitations")
          .where("id", "in", (old) =>
            old
              .selectFrom("invitations")
              .select("id")
              .where("expires_at_ms", "<=", nowMs)
              .limit(limit),
          )
          .executeTakeFirst();
        const challenges = await transaction
          .deleteFrom("passkey_challenges")
          .where("challenge_hash", "in", (old) =>
            old
              .selectFrom("passkey_challenges")
              .select("challenge_hash")
              .where("expires_at_ms", "<=", nowMs)
              .limit(limit),
          )
          .executeTakeFirst();
        return Math.max(Number(invitations.numDeletedRows), Number(challenges.numDeletedRows));
      }),
  };
}

/** Those of messages that have ended, but for what is still to be counted or failed. */
export function endedBatches(connection: Connection, limit: number) {
  return connection.deleteFrom("batches").where("id", "in", (batch) =>
    batch
      .selectFrom("batches")
      .select("batches.id")
      .where("batches.state", "<>", sql.lit("open"))
      .where("batches.lease_owner", "is", null)
      .where("batches.retry", "=", 0)
      .where((row) =>
        row.exists(
          row
            .selectFrom("messages")
            .select("messages.id")
            .whereRef("messages.id", "=", "batches.message_id")
            .where(sql<boolean>`messages.state in ('done', 'cancelled')`),
        ),
      )
      .limit(limit),
  );
}

/** Of each project those that ended first. */
export function endedBefore(connection: Connection, beforeMs: number, limit: number) {
  return connection
    .selectFrom("projects")
    .crossJoin("registrations")
    .select("registrations.id")
    .whereRef("registrations.project_id", "=", "projects.id")
    .where("ended_at_ms", "<", beforeMs)
    .orderBy("projects.id")
    .orderBy("ended_at_ms")
    .limit(limit);
}

/** When the first of each project ended; null for a project that has none. */
export function endedFirst(connection: Connection) {
  return connection.selectFrom("projects").select((row) =>
    row
      .selectFrom("registrations")
      .select((ended) => ended.fn.min("ended_at_ms").as("first"))
      .whereRef("registrations.project_id", "=", "projects.id")
      .where("ended_at_ms", "is not", null)
      .as("endedAtMs"),
  );
}

/** Its key begins with the message. */
export function oldReceipts(beforeMs: number, limit: number) {
  return sql`delete from receipts where (message_id, registration_id, kind) in (
    select message_id, registration_id, receipts.kind from messages
      cross join receipts on receipts.message_id = messages.id
      where messages.ended_at_ms < ${beforeMs} limit ${limit})`;
}

export function oldExceptions(beforeMs: number, limit: number) {
  return sql`delete from message_exceptions where (message_id, registration_id) in (
    select message_id, registration_id from messages
      cross join message_exceptions as exception on exception.message_id = messages.id
      where messages.ended_at_ms < ${beforeMs} limit ${limit})`;
}

/** Of push origins that never accepted anything, that no live registration is at, and that nothing waits for. */
export function unusedBreakers(limit: number) {
  return sql`delete from breakers where (push_origin, vapid_key_id) in (
    select push_origin, vapid_key_id from breakers as breaker
      where not exists (select 1 from proven_origins
          where push_origin = breaker.push_origin and vapid_key_id = breaker.vapid_key_id)
        and not exists (${liveAt(sql.ref("breaker.push_origin"))})
        and not exists (select 1 from batches where state = 'open' and push_origin = breaker.push_origin
          and vapid_key_id = breaker.vapid_key_id)
      limit ${limit})`;
}

/** Hosts that no live registration is at. */
export function unusedGivenUp(limit: number) {
  return sql`delete from given_up_hosts where push_origin in (
    select push_origin from given_up_hosts as host
      where not exists (${liveAt(sql.ref("host.push_origin"))}) limit ${limit})`;
}

/** Of whatever project: counts that are kept, by keys that begin with it. */
function liveAt(pushOrigin: RawBuilder<unknown>) {
  return sql`select 1 from projects cross join audience_live
    on project_id = projects.id and kind = 'push-origin' and value = ${pushOrigin}`;
}
