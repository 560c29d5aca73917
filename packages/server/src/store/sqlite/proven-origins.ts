/** Where a push was ever accepted, and which made-up hosts are given up. Kept with what is counted, in its transaction. */
import { sql } from "kysely";
import type { Delivered, PushOriginKey } from "../port.ts";
import { unprovenLane } from "./batch-rows.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

/** To be called in a transaction. A push origin that accepts for the first time leaves the lane of the unproven. */
export async function noteAccepted(
  transaction: Connection,
  vapidKeyId: number,
  delivered: readonly Delivered[],
  nowMs: number,
): Promise<void> {
  const origins = new Set<string>();
  for (const { kind, pushOrigin } of delivered) if (kind === "accepted") origins.add(pushOrigin);
  for (const pushOrigin of origins) {
    const { numAffectedRows } = await acceptedAgain(transaction, { pushOrigin, vapidKeyId, nowMs });
    if (numAffectedRows !== 1n) await acceptedFirst(transaction, { pushOrigin, vapidKeyId }, nowMs);
  }
}

const acceptedAgain = compileOnce(
  (_, { pushOrigin, vapidKeyId, nowMs }: PushOriginKey & { nowMs: number }) => sql`
    update proven_origins set accepted_at_ms = ${nowMs}
    where push_origin = ${pushOrigin} and vapid_key_id = ${vapidKeyId}`,
);

async function acceptedFirst(
  transaction: Connection,
  { pushOrigin, vapidKeyId }: PushOriginKey,
  nowMs: number,
): Promise<void> {
  await transaction
    .insertInto("proven_origins")
    .values({ push_origin: pushOrigin, vapid_key_id: vapidKeyId, accepted_at_ms: nowMs })
    .execute();
  await transaction
    .updateTable("batches")
    .set({ lane: pushOrigin })
    .where("push_origin", "=", pushOrigin)
    .where("vapid_key_id", "=", vapidKeyId)
    .where("state", "=", sql.lit("open"))
    .where("lane", "=", unprovenLane)
    .execute();
  await transaction.deleteFrom("given_up_hosts").where("push_origin", "=", pushOrigin).execute();
}

export function provenOrigin(connection: Connection, { pushOrigin, vapidKeyId }: PushOriginKey) {
  return connection
    .selectFrom("proven_origins")
    .select("accepted_at_ms")
    .where("push_origin", "=", pushOrigin)
    .where("vapid_key_id", "=", vapidKeyId);
}

/** There are few proven push origins: nobody can make up one. */
export async function lastAcceptedAt(connection: Connection): Promise<number | null> {
  const { atMs } = await connection
    .selectFrom("proven_origins")
    .select((row) => row.fn.max<number | null>("accepted_at_ms").as("atMs"))
    .executeTakeFirstOrThrow();
  return atMs;
}

export async function hasGivenUp(connection: Connection, pushOrigin: string): Promise<boolean> {
  const found = await connection
    .selectFrom("given_up_hosts")
    .select("push_origin")
    .where("push_origin", "=", pushOrigin)
    .executeTakeFirst();
  return found !== undefined;
}

export async function giveUp(connection: Connection, pushOrigin: string, nowMs: number) {
  await connection
    .insertInto("given_up_hosts")
    .values({ push_origin: pushOrigin, given_up_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
