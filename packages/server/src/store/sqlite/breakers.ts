import type { BreakerStore, Destination } from "../port.ts";
import type { Connection } from "./connection.ts";

export function breakerStore(connection: Connection): BreakerStore {
  const update = ({ pushOrigin, vapidKeyId }: Destination) =>
    connection
      .updateTable("breakers")
      .where("push_origin", "=", pushOrigin)
      .where("vapid_key_id", "=", vapidKeyId);
  return {
    async open({ pushOrigin, vapidKeyId, reason, detail, openedAtMs, probeAtMs }) {
      const { numInsertedOrUpdatedRows } = await connection
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
      return numInsertedOrUpdatedRows === 1n;
    },

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

    async close({ pushOrigin, vapidKeyId }) {
      const { numDeletedRows } = await connection
        .deleteFrom("breakers")
        .where("push_origin", "=", pushOrigin)
        .where("vapid_key_id", "=", vapidKeyId)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async probeAllNow(nowMs) {
      await connection
        .updateTable("breakers")
        .set({ probe_at_ms: nowMs })
        .where("probe_at_ms", ">", nowMs)
        .execute();
    },

    list: () => breakersFrom(connection).execute(),

    async hasEverAccepted(destination) {
      return (await acceptedBatch(connection, destination).executeTakeFirst()) !== undefined;
    },
  };
}

export function acceptedBatch(connection: Connection, { pushOrigin, vapidKeyId }: Destination) {
  return connection
    .selectFrom("batches")
    .select("id")
    .where("push_origin", "=", pushOrigin)
    .where("vapid_key_id", "=", vapidKeyId)
    .where("accepted", ">", 0)
    .limit(1);
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
