import { sql } from "kysely";
import type { BreakerStore, PushOriginKey } from "../port.ts";
import type { Connection } from "./connection.ts";
import { provenOrigin } from "./proven-origins.ts";

export function breakerStore(connection: Connection): BreakerStore {
  const update = ({ pushOrigin, vapidKeyId }: PushOriginKey) =>
    connection
      .updateTable("breakers")
      .where("push_origin", "=", pushOrigin)
      .where("vapid_key_id", "=", vapidKeyId);
  return {
    open: ({ pushOrigin, vapidKeyId, reason, detail, openedAtMs, probeAtMs }) =>
      connection.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("breakers")
          .values({
            push_origin: pushOrigin,
            vapid_key_id: vapidKeyId,
            reason,
            detail,
            opened_at_ms: openedAtMs,
            probe_at_ms: probeAtMs,
          })
          .onConflict((conflict) => conflict.columns(["push_origin", "vapid_key_id"]).doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows !== 1n) return false;
        await hold(transaction, { pushOrigin, vapidKeyId }, 1).execute();
        return true;
      }),

    async takeProbe(destination, nowMs, nextProbeAtMs) {
      const { numUpdatedRows } = await update(destination)
        .set({ probe_at_ms: nextProbeAtMs })
        .where("probe_at_ms", "<=", nowMs)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async probeFailed(destination, { reason, detail, probeAtMs }) {
      const { numUpdatedRows } = await update(destination)
        .set((row) => ({ reason, detail, probe_at_ms: probeAtMs, probes: row("probes", "+", 1) }))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async probeAgain(destination, nowMs) {
      const { numUpdatedRows } = await update(destination)
        .set({ probe_at_ms: nowMs })
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    close: ({ pushOrigin, vapidKeyId }) =>
      connection.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("breakers")
          .where("push_origin", "=", pushOrigin)
          .where("vapid_key_id", "=", vapidKeyId)
          .executeTakeFirst();
        if (numDeletedRows !== 1n) return false;
        await hold(transaction, { pushOrigin, vapidKeyId }, 0).execute();
        return true;
      }),

    async probeAllNow(nowMs) {
      await connection
        .updateTable("breakers")
        .set({ probe_at_ms: nowMs })
        .where("probe_at_ms", ">", nowMs)
        .execute();
    },

    list: () => breakersFrom(connection).execute(),

    async hasEverAccepted(at) {
      return (await provenOrigin(connection, at).executeTakeFirst()) !== undefined;
    },
  };
}

/** Holds the open batches of a push origin, or frees them. Other batches split it off when they meet it (split.ts). */
export function hold(
  connection: Connection,
  { pushOrigin, vapidKeyId }: PushOriginKey,
  held: 0 | 1,
) {
  return connection
    .updateTable("batches")
    .set({ held })
    .where("push_origin", "=", pushOrigin)
    .where("vapid_key_id", "=", vapidKeyId)
    .where("state", "=", sql.lit("open"));
}

/** Open breakers, in a fixed order; there are few of them. */
export function breakersFrom(connection: Connection) {
  return connection
    .selectFrom("breakers")
    .select([
      "breakers.push_origin as pushOrigin",
      "breakers.vapid_key_id as vapidKeyId",
      "breakers.reason",
      "breakers.detail",
      "breakers.opened_at_ms as openedAtMs",
      "breakers.probe_at_ms as probeAtMs",
      "breakers.probes",
    ])
    .orderBy("breakers.push_origin")
    .orderBy("breakers.vapid_key_id");
}
