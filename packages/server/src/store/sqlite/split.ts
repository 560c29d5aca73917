/**
 * Splitting push origins off a batch: a breaker holds them, they are slow, or they were unproven and are proven now. What
 * is left of them, walk and retries, goes on as a batch of its own: one row, however many registrations that is.
 */
import { sql } from "kysely";
import { pushServiceNameOf } from "../../webpush/push-hosts.ts";
import type { Batch, Split } from "../port.ts";
import { addressed, audienceGroups } from "./audience.ts";
import { unwalked } from "./batch-page.ts";
import {
  batchColumns,
  batchFromRow,
  holdsMoved,
  unprovenLane,
  untilTtl,
  type BatchRow,
} from "./batch-rows.ts";
import type { Connection } from "./connection.ts";
import { addCounts, movePlanned, noCounts } from "./counts.ts";

/**
 * See `DeliveryStore.splitOff`. Nearly always there is nothing to split, and nothing is written. Those of whom nothing is left are left
 * out: what is left is counted once for each of them.
 */
export async function splitHeldAndProven(
  connection: Connection,
  batch: Batch,
  owner: string,
): Promise<Batch | null> {
  const origins = await originsToSplitOff(connection, batch);
  if (origins.length === 0) return batch;
  return connection.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom("batches")
      .select(batchColumns)
      .where("id", "=", batch.id)
      .where("lease_owner", "=", owner)
      .where("lease_epoch", "=", batch.epoch)
      .executeTakeFirst();
    return row === undefined ? null : batchFromRow(await splitEach(transaction, row, origins));
  });
}

/**
 * Push origins of the batch that had better go on alone: those that a breaker holds; of an unproven batch also those that
 * have accepted something by now.
 */
async function originsToSplitOff(connection: Connection, batch: Batch): Promise<string[]> {
  const { onlyOrigins, exceptOrigins, vapidKeyId, pushService } = batch;
  if (onlyOrigins?.length === 1) return [];
  const held = await connection
    .selectFrom("breakers")
    .select("push_origin")
    .where("vapid_key_id", "=", vapidKeyId)
    .execute();
  const origins = held.map((row) => row.push_origin);
  if (onlyOrigins === null) {
    const apart = new Set(exceptOrigins);
    return origins.filter((each) => !apart.has(each) && pushServiceNameOf(each) === pushService);
  }
  const proven = await connection
    .selectFrom("proven_origins")
    .select("push_origin")
    .where("vapid_key_id", "=", vapidKeyId)
    .execute();
  const candidates = new Set([...origins, ...proven.map((row) => row.push_origin)]);
  return onlyOrigins.filter((each) => candidates.has(each));
}

/**
 * To be called in a transaction that holds the batch's lease. Splits them off, each alone.
 * @returns the batch as it is now
 */
async function splitEach(
  transaction: Connection,
  row: BatchRow,
  origins: readonly string[],
): Promise<BatchRow> {
  const left = await leftOf(transaction, row, origins, row.cursor);
  const without = origins.filter((each) => !left.has(each));
  let now = without.length === 0 ? row : await leaveOut(transaction, row, without);
  for (const pushOrigin of left.keys()) {
    ({ parent: now } = await split(
      transaction,
      now,
      { pushOrigins: [pushOrigin], cursor: row.cursor, leaseUntilMs: null },
      "",
      left,
    ));
  }
  return now;
}

type Left = { unwalked: number; retries: number; dueAtMs: number | null };

/** What the batch has left of these push origins after `cursor`; those without anything are left out. */
async function leftOf(
  connection: Connection,
  row: BatchRow,
  origins: readonly string[],
  cursor: number,
): Promise<Map<string, Left>> {
  const left = new Map<string, Left>();
  const named = JSON.stringify(origins);
  const to = await addressed(connection, row.message_id);
  if (to !== null && cursor < row.last_id) {
    const part = unwalked({ ...batchFromRow(row), cursor, onlyOrigins: origins }, row.time_zones);
    for (const { pushOrigin, count } of await audienceGroups(connection, to, part).execute()) {
      left.set(pushOrigin, { unwalked: count, retries: 0, dueAtMs: null });
    }
  }
  const retries = await connection
    .selectFrom("message_exceptions")
    .select((exception) => [
      "push_origin",
      exception.fn.countAll<number>().as("count"),
      exception.fn.min<number>("due_at_ms").as("dueAtMs"),
    ])
    .where("batch_id", "=", row.id)
    .where("kind", "=", sql.lit("retry"))
    .where("push_origin", "in", sql<string>`(select value from json_each(${named}))`)
    .groupBy("push_origin")
    .execute();
  for (const { push_origin: pushOrigin, count, dueAtMs } of retries) {
    left.set(pushOrigin, {
      unwalked: left.get(pushOrigin)?.unwalked ?? 0,
      retries: count,
      dueAtMs,
    });
  }
  return left;
}

/**
 * To be called in a transaction that holds the batch's lease.
 * @param owner who leases the new batch, if `leaseUntilMs` says that it is leased
 * @returns the batch as it is now, and the new one; null if nothing was left
 */
export async function split(
  transaction: Connection,
  row: BatchRow,
  { pushOrigins, cursor, leaseUntilMs }: Split,
  owner: string,
  known?: ReadonlyMap<string, Left>,
): Promise<{ parent: BatchRow; child: Batch | null }> {
  const left = known ?? (await leftOf(transaction, row, pushOrigins, cursor));
  const own = pushOrigins.flatMap((each) => left.get(each) ?? []);
  const parent = await leaveOut(transaction, row, pushOrigins);
  if (own.length === 0) return { parent, child: null };
  const isWalked = own.every((each) => each.unwalked === 0);
  const dueTimes = own.flatMap((each) => each.dueAtMs ?? []);
  const [only] = pushOrigins;
  const single = pushOrigins.length === 1 && only !== undefined ? only : null;
  const isProven =
    single !== null && (await has(transaction, "proven_origins", single, row.vapid_key_id));
  const isHeld = single !== null && (await has(transaction, "breakers", single, row.vapid_key_id));
  const endsAtMs = isWalked && !holdsMoved(row) ? untilTtl : sql<number>`expires_at_ms`;
  const { insertId } = await transaction
    .insertInto("batches")
    .columns([
      "message_id",
      "project_id",
      "push_service",
      "vapid_key_id",
      "push_origin",
      "only_origins",
      "lane",
      "held",
      "time_zones",
      "state",
      "cursor",
      "last_id",
      "due_at_ms",
      "expires_at_ms",
      "ready_at_ms",
      "lease_owner",
      "lease_until_ms",
      "lease_epoch",
      "planned",
    ])
    .expression((insert) =>
      insert
        .selectFrom("batches")
        .select((batch) => [
          "message_id",
          "project_id",
          "push_service",
          "vapid_key_id",
          batch.val(single).as("push_origin"),
          batch.val(single === null ? JSON.stringify(pushOrigins) : null).as("only_origins"),
          batch.val(single !== null && isProven ? single : unprovenLane).as("lane"),
          batch.val(isHeld ? 1 : 0).as("held"),
          "time_zones",
          "state",
          // Without a range it stays one that holds retries of registrations that moved (last_id 0).
          sql<number>`min(${isWalked ? row.last_id : cursor}, last_id)`.as("cursor"),
          "last_id",
          "due_at_ms",
          endsAtMs.as("expires_at_ms"),
          batch.val(isWalked ? Math.min(...dueTimes) : row.due_at_ms).as("ready_at_ms"),
          batch.val(leaseUntilMs === null ? null : owner).as("lease_owner"),
          batch.val(leaseUntilMs).as("lease_until_ms"),
          batch.val(leaseUntilMs === null ? 0 : 1).as("lease_epoch"),
          batch.val(0).as("planned"),
        ])
        .where("id", "=", row.id),
    )
    .executeTakeFirstOrThrow();
  const id = Number(insertId);
  const retries = own.reduce((sum, each) => sum + each.retries, 0);
  const count = own.reduce((sum, each) => sum + each.unwalked, retries);
  await movePlanned(transaction, { from: row.id, to: id, count });
  if (retries > 0) await moveRetries(transaction, { from: row.id, to: id, pushOrigins, retries });
  // Those that came into the audience later were planned nowhere.
  await addCounts(transaction, row.id, noCounts());
  const child = await transaction
    .selectFrom("batches")
    .select(batchColumns)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { parent, child: batchFromRow(child) };
}

async function moveRetries(
  transaction: Connection,
  move: { from: number; to: number; pushOrigins: readonly string[]; retries: number },
): Promise<void> {
  const named = JSON.stringify(move.pushOrigins);
  await transaction
    .updateTable("message_exceptions")
    .set({ batch_id: move.to })
    .where("batch_id", "=", move.from)
    .where("kind", "=", sql.lit("retry"))
    .where("push_origin", "in", sql<string>`(select value from json_each(${named}))`)
    .execute();
  for (const [id, by] of [
    [move.from, -move.retries],
    [move.to, move.retries],
  ] as const) {
    await transaction
      .updateTable("batches")
      .set((batch) => ({ retry: batch("retry", "+", by) }))
      .where("id", "=", id)
      .execute();
  }
}

/** The batch covers these push origins no more. */
async function leaveOut(
  transaction: Connection,
  row: BatchRow,
  pushOrigins: readonly string[],
): Promise<BatchRow> {
  const { onlyOrigins, exceptOrigins } = batchFromRow(row);
  const out = new Set(pushOrigins);
  const only = onlyOrigins?.filter((each) => !out.has(each));
  return transaction
    .updateTable("batches")
    .set(
      only === undefined
        ? { except_origins: JSON.stringify([...new Set([...exceptOrigins, ...pushOrigins])]) }
        : { only_origins: JSON.stringify(only), ...(only.length === 0 ? walkedToEnd : {}) },
    )
    .where("id", "=", row.id)
    .returning(batchColumns)
    .executeTakeFirstOrThrow();
}

const walkedToEnd = { cursor: sql<number>`last_id` };

async function has(
  transaction: Connection,
  table: "proven_origins" | "breakers",
  pushOrigin: string,
  vapidKeyId: number,
): Promise<boolean> {
  const found = await transaction
    .selectFrom(table)
    .select("push_origin")
    .where("push_origin", "=", pushOrigin)
    .where("vapid_key_id", "=", vapidKeyId)
    .executeTakeFirst();
  return found !== undefined;
}
