/**
 * A registration that moves: to another push service, another VAPID key or another time zone. Batches find
 * registrations by these, so a batch that had its turn before it finds it no more, and one that it comes to may
 * meet it a second time. So in the transaction that moves it, it gets a row among the exceptions of each message that is
 * being sent, and who has a row has no turn in a walk any more (batch-page.ts), nor is it counted by one (checkpoint.ts).
 */
import { sql, type RawBuilder, type Selectable } from "kysely";
import { targetSchema } from "@sineta/protocol";
import type { StoreReason } from "../port.ts";
import { audience, oneOf } from "./audience.ts";
import type { Connection } from "./connection.ts";
import { addCounts, noCounts } from "./counts.ts";
import type { Tables } from "./tables.ts";

/** Where batches find a registration, in columns of its row. */
export type Place = Pick<
  Selectable<Tables["registrations"]>,
  "push_origin" | "vapid_key_id" | "time_zone"
>;

export type Moving = { id: number; projectId: number; generation: number };

/** Reason of a retry that was not sent to yet. */
export const movedReason = "moved" satisfies StoreReason;

export function hasMoved(from: Place, to: Place): boolean {
  return !sameDestination(from, to) || from.time_zone !== to.time_zone;
}

/** To be called in the transaction that moves it, when all of it is written. */
export async function afterMove(
  transaction: Connection,
  registration: Moving,
  from: Place & { ended_at_ms: number | null },
  to: Place,
  nowMs: number,
): Promise<void> {
  if (!sameDestination(from, to)) await takeRetriesAlong(transaction, registration, to);
  await oweTurn(transaction, registration, from, to, nowMs);
  // Who was gone may have missed their turn: rather twice than never.
  if (from.ended_at_ms === null) await passTurn(transaction, registration, from, to, nowMs);
}

function sameDestination(one: Place, other: Place): boolean {
  return one.push_origin === other.push_origin && one.vapid_key_id === other.vapid_key_id;
}

/** A batch without a range, which holds retries of registrations that moved to its destination. */
export function holdsMoved(batch: { last_id: number }): boolean {
  return batch.last_id === 0;
}

export function retriesOfRegistration(connection: Connection, id: number) {
  return connection
    .selectFrom("message_exceptions as exception")
    .innerJoin("batches", "batches.id", "exception.batch_id")
    .select([
      "batches.id",
      "batches.message_id",
      "batches.due_at_ms",
      "batches.expires_at_ms",
      "exception.due_at_ms as retry_at_ms",
    ])
    .where("exception.registration_id", "=", id)
    .where("exception.kind", "=", sql.lit("retry"))
    .where("batches.state", "=", sql.lit("open"))
    .$narrowType<{ retry_at_ms: number }>();
}

async function takeRetriesAlong(transaction: Connection, { id, projectId }: Moving, to: Place) {
  const retries = await retriesOfRegistration(transaction, id).execute();
  for (const { retry_at_ms: retryAtMs, ...batch } of retries) {
    const host = await hostOf(transaction, { ...batch, projectId }, to);
    await transaction
      .updateTable("message_exceptions")
      .set({ batch_id: host })
      .where("message_id", "=", batch.message_id)
      .where("registration_id", "=", id)
      .execute();
    await addCounts(transaction, batch.id, { ...noCounts(), retry: -1 });
    await movePlanned(transaction, batch.id, host, retryAtMs);
    await endIfEmpty(transaction, batch.id);
  }
}

/** open -> done: walked, and without a retry; it may be held by a breaker, so that nobody would come to end it. */
async function endIfEmpty(transaction: Connection, batchId: number): Promise<void> {
  await transaction
    .updateTable("batches")
    .set({ state: "done" })
    .where("id", "=", batchId)
    .where("state", "=", sql.lit("open"))
    .where((row) => row("cursor", ">=", row.ref("last_id")))
    .where("retry", "=", 0)
    .execute();
}

/** Whose turn was still to come where it was, gets it where it is now. */
async function oweTurn(
  transaction: Connection,
  registration: Moving,
  from: Place,
  to: Place,
  nowMs: number,
): Promise<void> {
  const batches = await turnsBefore(transaction, registration, from, to).execute();
  for (const batch of batches) {
    if (!(await isIn(transaction, registration, batch.target))) continue;
    const dueAtMs =
      batch.time_zones === null || from.time_zone === to.time_zone
        ? batch.due_at_ms
        : await dueIn(transaction, batch, to.time_zone, nowMs);
    const expiresAtMs = batch.expires_at_ms - batch.due_at_ms + dueAtMs;
    const { message_id, id } = batch;
    const host = await hostOf(
      transaction,
      {
        message_id,
        projectId: registration.projectId,
        due_at_ms: dueAtMs,
        expires_at_ms: expiresAtMs,
      },
      to,
    );
    const retryAtMs = Math.max(dueAtMs, nowMs);
    await addRow(transaction, registration, {
      message_id,
      batch_id: host,
      kind: "retry",
      due_at_ms: retryAtMs,
      changed_at_ms: nowMs,
    });
    await movePlanned(transaction, id, host, retryAtMs);
  }
}

/** Whose turn was over where it was, gets none where it is now. */
async function passTurn(
  transaction: Connection,
  registration: Moving,
  from: Place,
  to: Place,
  nowMs: number,
): Promise<void> {
  const batches = await turnsBefore(transaction, registration, to, from).execute();
  for (const { message_id, target } of batches) {
    if (!(await isIn(transaction, registration, target))) continue;
    await addRow(transaction, registration, {
      message_id,
      batch_id: null,
      kind: "accepted",
      due_at_ms: null,
      changed_at_ms: nowMs,
    });
  }
}

/**
 * Batches in which a registration has its turn still to come if it is at one place, and has not if it is at the other;
 * but for messages that have a row for it.
 */
export function turnsBefore(
  connection: Connection,
  { id, projectId }: Pick<Moving, "id" | "projectId">,
  at: Place,
  notAt: Place,
) {
  const foundAtBoth = sameDestination(at, notAt) ? inZone(notAt) : sql<boolean>`false`;
  return connection
    .selectFrom("batches")
    .innerJoin("messages", "messages.id", "batches.message_id")
    .select([
      "batches.id",
      "batches.message_id",
      "batches.due_at_ms",
      "batches.expires_at_ms",
      "batches.time_zones",
      "messages.target",
    ])
    .where("batches.state", "=", sql.lit("open"))
    .where(sql<boolean>`batches.cursor < batches.last_id`)
    .where("batches.push_origin", "=", at.push_origin)
    .where("batches.vapid_key_id", "=", at.vapid_key_id)
    .where("batches.last_id", ">=", id)
    .where("batches.cursor", "<", id)
    .where("batches.project_id", "=", projectId)
    .where(inZone(at))
    .where(sql<boolean>`not ${foundAtBoth}`)
    .where(
      sql<boolean>`not exists (select 1 from message_exceptions
        where message_id = batches.message_id and registration_id = ${id})`,
    );
}

function inZone({ time_zone }: Place): RawBuilder<boolean> {
  return sql`(batches.time_zones is null
    or exists (select 1 from json_each(batches.time_zones) where value is ${time_zone}))`;
}

/** Whether the registration is in the audience. Of a message that nobody can read it is in none. */
async function isIn(
  transaction: Connection,
  { id, projectId }: Moving,
  target: string,
): Promise<boolean> {
  const parsed = targetSchema.safeParse(JSON.parse(target));
  if (!parsed.success) return false;
  const to = { projectId, target: parsed.data };
  return (await audience(transaction, to, oneOf([id]), 1).executeTakeFirst()) !== undefined;
}

/** When the message is due in this time zone, as far as a batch of it says so; at once if that has passed. */
async function dueIn(
  transaction: Connection,
  batch: { message_id: string; due_at_ms: number },
  timeZone: string | null,
  nowMs: number,
): Promise<number> {
  const found = await transaction
    .selectFrom("batches")
    .select("due_at_ms")
    .where("message_id", "=", batch.message_id)
    .where(sql<boolean>`exists (select 1 from json_each(time_zones) where value is ${timeZone})`)
    .limit(1)
    .executeTakeFirst();
  return Math.max(found?.due_at_ms ?? batch.due_at_ms, nowMs);
}

type Hosted = Pick<Selectable<Tables["batches"]>, "message_id" | "due_at_ms" | "expires_at_ms">;

export function hostsOf(connection: Connection, like: Hosted, to: Place) {
  return (
    connection
      .selectFrom("batches")
      .select("id")
      .where("message_id", "=", like.message_id)
      .where("push_origin", "=", to.push_origin)
      .where("vapid_key_id", "=", to.vapid_key_id)
      .where("due_at_ms", "=", like.due_at_ms)
      // The plus keeps SQLite from the index of these, in which all batches of a message stand together.
      .where(sql<boolean>`+expires_at_ms = ${like.expires_at_ms}`)
      .where("last_id", "=", 0)
      .where("state", "=", sql.lit("open"))
      .limit(1)
  );
}

async function hostOf(
  transaction: Connection,
  like: Hosted & { projectId: number },
  to: Place,
): Promise<number> {
  const found = await hostsOf(transaction, like, to).executeTakeFirst();
  if (found !== undefined) return found.id;
  const { insertId } = await transaction
    .insertInto("batches")
    .values({
      message_id: like.message_id,
      project_id: like.projectId,
      push_origin: to.push_origin,
      vapid_key_id: to.vapid_key_id,
      time_zones: null,
      state: "open",
      cursor: 0,
      last_id: 0,
      due_at_ms: like.due_at_ms,
      expires_at_ms: like.expires_at_ms,
      // Until it has a retry.
      ready_at_ms: like.expires_at_ms,
      lease_owner: null,
      lease_until_ms: null,
      worked_at_ms: null,
      planned: 0,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** One that was planned here is planned there now, as a retry at `retryAtMs`. */
async function movePlanned(
  transaction: Connection,
  fromBatch: number,
  toBatch: number,
  retryAtMs: number,
): Promise<void> {
  await transaction
    .updateTable("batches")
    .set((row) => ({ planned: row("planned", "-", 1) }))
    .where("id", "=", fromBatch)
    .execute();
  // Who came into the audience later was planned nowhere.
  await addCounts(transaction, fromBatch, noCounts());
  await transaction
    .updateTable("batches")
    .set((row) => ({
      planned: row("planned", "+", 1),
      ready_at_ms: sql<number>`min(ready_at_ms, ${retryAtMs})`,
    }))
    .where("id", "=", toBatch)
    .execute();
  await addCounts(transaction, toBatch, { ...noCounts(), retry: 1 });
}

async function addRow(
  transaction: Connection,
  { id, generation }: Moving,
  row: {
    message_id: string;
    batch_id: number | null;
    kind: "retry" | "accepted";
    due_at_ms: number | null;
    changed_at_ms: number;
  },
): Promise<void> {
  await transaction
    .insertInto("message_exceptions")
    .values({
      ...row,
      registration_id: id,
      generation,
      attempts: 0,
      reason: movedReason,
      detail: "",
    })
    .execute();
}
