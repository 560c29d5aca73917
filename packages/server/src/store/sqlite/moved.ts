/**
 * A registration that moves: to another push service, VAPID key or time zone, or to a push origin with batches of its own. A batch that
 * covered it and has not reached it finds it no more, and one that covers it now may meet it a second time. So in the
 * transaction that moves it, it gets a row among the exceptions of each message that is being sent: a registration with a row
 * has no turn in a walk any more (batch-page.ts), nor is it counted by one (checkpoint.ts). Where one batch covers
 * both places, nothing is to be done: another host of the same vendor is no move.
 */
import { sql, type Selectable } from "kysely";
import { keptTargetSchema } from "@sineta/protocol";
import type { StoreReason } from "../port.ts";
import { audience, oneOf } from "./audience.ts";
import { covers, coversOrigin, sharedLane, unprovenLane, type Place } from "./batch-rows.ts";
import type { Connection } from "./connection.ts";
import { addCounts, dropUnreached, movePlanned, noCounts } from "./counts.ts";
import { provenOrigin } from "./proven-origins.ts";
import type { Tables } from "./tables.ts";

export type Moving = { id: number; projectId: number; generation: number };

/** Reason of a retry that was not sent to yet. */
export const movedReason = "moved" satisfies StoreReason;

export function hasMoved(from: Place, to: Place): boolean {
  return (
    from.push_origin !== to.push_origin ||
    from.vapid_key_id !== to.vapid_key_id ||
    from.time_zone !== to.time_zone
  );
}

/** To be called in the transaction that moves it, when all of it is written. */
export async function afterMove(
  transaction: Connection,
  registration: Moving,
  from: Place & { ended_at_ms: number | null; passed_messages: string | null },
  to: Place,
  nowMs: number,
): Promise<void> {
  await takeRetriesAlong(transaction, registration, from, to);
  const owing = await oweTurn(transaction, registration, from, to, nowMs);
  if (from.ended_at_ms === null) {
    const turns = await turnsBefore(transaction, registration, to, from).execute();
    const served = turns.filter((turn) => !owing.has(turn.message_id));
    await passTurns(transaction, registration, to, served, nowMs);
  } else if (from.passed_messages !== null) {
    // One that was gone may have missed its turn: only the messages that had passed it before have none for it.
    const served = await turnsAmong(transaction, registration, to, from.passed_messages).execute();
    await passTurns(transaction, registration, to, served, nowMs);
  }
}

export function retriesOfRegistration(connection: Connection, id: number, to: Place) {
  return connection
    .selectFrom("message_exceptions as exception")
    .innerJoin("batches", "batches.id", "exception.batch_id")
    .select([
      "batches.id",
      "batches.message_id",
      "batches.due_at_ms",
      "batches.expires_at_ms",
      "exception.due_at_ms as retry_at_ms",
      sql<
        0 | 1
      >`batches.push_service = ${to.push_service} and batches.vapid_key_id = ${to.vapid_key_id}
        and ${coversOrigin(to.push_origin)}`.as("isCovered"),
    ])
    .where("exception.registration_id", "=", id)
    .where("exception.kind", "=", sql.lit("retry"))
    .where("batches.state", "=", sql.lit("open"))
    .$narrowType<{ retry_at_ms: number }>();
}

async function takeRetriesAlong(
  transaction: Connection,
  { id, projectId }: Moving,
  from: Place,
  to: Place,
) {
  // Another time zone alone changes nothing for a retry.
  if (from.push_origin === to.push_origin && from.vapid_key_id === to.vapid_key_id) return;
  const retries = await retriesOfRegistration(transaction, id, to).execute();
  for (const { retry_at_ms: retryAtMs, isCovered, ...batch } of retries) {
    const host = isCovered ? batch.id : await hostOf(transaction, { ...batch, projectId }, to);
    await transaction
      .updateTable("message_exceptions")
      .set({ batch_id: host, push_origin: to.push_origin })
      .where("message_id", "=", batch.message_id)
      .where("registration_id", "=", id)
      .execute();
    if (host === batch.id) continue;
    await addCounts(transaction, batch.id, { ...noCounts(), retry: -1 });
    await takePlanned(transaction, batch.id, host, retryAtMs);
    await endIfEmpty(transaction, batch.id);
  }
}

/** open -> done: walked, and without a retry; a breaker may hold it, so that no turn would come to end it. */
async function endIfEmpty(transaction: Connection, batchId: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("batches")
    .set({ state: "done" })
    .where("id", "=", batchId)
    .where("state", "=", sql.lit("open"))
    .where((row) => row("cursor", ">=", row.ref("last_id")))
    .where("retry", "=", 0)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return;
  await dropUnreached(transaction, batchId);
  await removeEmptyHost(transaction, batchId);
}

/**
 * A batch that held retries of registrations that moved, has ended and never had an outcome leaves nothing behind: moving on and on
 * writes no more rows than there are messages. To be called in a transaction.
 */
export async function removeEmptyHost(transaction: Connection, batchId: number): Promise<void> {
  await transaction
    .deleteFrom("batches")
    .where("id", "=", batchId)
    .where("state", "=", sql.lit("done"))
    .where("last_id", "=", 0)
    .where("planned", "=", 0)
    .where("lease_owner", "is", null)
    .execute();
}

/**
 * A registration whose turn was still to come at its old place gets it at the new one.
 * @returns the messages whose turn was still to come, whether it is in their audience now or not
 */
async function oweTurn(
  transaction: Connection,
  registration: Moving,
  from: Place,
  to: Place,
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const turns = await turnsBefore(transaction, registration, from, to).execute();
  for (const batch of turns) {
    if (!(await isIn(transaction, registration, batch.target))) continue;
    const dueAtMs =
      batch.time_zones === null || from.time_zone === to.time_zone
        ? batch.due_at_ms
        : await dueIn(transaction, batch, to.time_zone, nowMs);
    await owe(transaction, registration, batch, to, { dueAtMs, nowMs });
  }
  return new Set(turns.map(({ message_id }) => message_id));
}

type Walk = Hosted & { id: number };

/** A registration that a batch has planned gets its turn elsewhere, as soon as it is due there. */
export async function owe(
  transaction: Connection,
  registration: Moving,
  { id, ...walk }: Walk,
  to: Place,
  { dueAtMs, nowMs }: { dueAtMs: number; nowMs: number },
): Promise<void> {
  const host = await hostOf(
    transaction,
    {
      message_id: walk.message_id,
      projectId: registration.projectId,
      due_at_ms: dueAtMs,
      expires_at_ms: walk.expires_at_ms - walk.due_at_ms + dueAtMs,
    },
    to,
  );
  const retryAtMs = Math.max(dueAtMs, nowMs);
  await addRow(transaction, registration, to.push_origin, {
    message_id: walk.message_id,
    batch_id: host,
    kind: "retry",
    due_at_ms: retryAtMs,
    changed_at_ms: nowMs,
  });
  await takePlanned(transaction, id, host, retryAtMs);
}

/** A registration that was already served at its old place is skipped at the new one. */
async function passTurns(
  transaction: Connection,
  registration: Moving,
  to: Place,
  turns: readonly { message_id: string; target: string }[],
  nowMs: number,
): Promise<void> {
  for (const { message_id, target } of turns) {
    if (!(await mayBeIn(transaction, registration, target))) continue;
    await addRow(transaction, registration, to.push_origin, {
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
  registration: Pick<Moving, "id" | "projectId">,
  at: Place,
  notAt: Place,
) {
  return turnsAt(connection, registration, at).where(sql<boolean>`not ${covers(notAt)}`);
}

/** Of these messages (a JSON list) the batches in which it has its turn still to come at this place. */
function turnsAmong(
  connection: Connection,
  registration: Pick<Moving, "id" | "projectId">,
  at: Place,
  messageIds: string,
) {
  return turnsAt(connection, registration, at).where(
    sql<boolean>`batches.message_id in (select value from json_each(${messageIds}))`,
  );
}

/** Batches in which a registration has its turn still to come if it is at this place, as above. */
function turnsAt(
  connection: Connection,
  { id, projectId }: Pick<Moving, "id" | "projectId">,
  at: Place,
) {
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
    .where("batches.push_service", "=", at.push_service)
    .where("batches.vapid_key_id", "=", at.vapid_key_id)
    .where("batches.last_id", ">=", id)
    .where("batches.cursor", "<", id)
    .where("batches.project_id", "=", projectId)
    .where(covers(at))
    .where(
      sql<boolean>`not exists (select 1 from message_exceptions
        where message_id = batches.message_id and registration_id = ${id})`,
    );
}

/** Whether the registration is in the audience. Of a message that nobody can read it is in none. */
async function isIn(
  transaction: Connection,
  { id, projectId }: Moving,
  target: string,
): Promise<boolean> {
  const parsed = keptTargetSchema.safeParse(JSON.parse(target));
  if (!parsed.success) return false;
  const to = { projectId, target: parsed.data };
  return (await audience(transaction, to, oneOf([id]), 1).executeTakeFirst()) !== undefined;
}

/**
 * Whether the registration is in the audience, or may come into it. It may have been in it when its turn was: a user and topics
 * come and go.
 */
async function mayBeIn(
  transaction: Connection,
  registration: Moving,
  target: string,
): Promise<boolean> {
  const parsed = keptTargetSchema.safeParse(JSON.parse(target));
  if (!parsed.success) return false;
  const isNamed = parsed.data.kind === "token" || parsed.data.kind === "tokens";
  return !isNamed || isIn(transaction, registration, target);
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

export function hostsOf(connection: Connection, like: Hosted, to: Place, lane: string) {
  return connection
    .selectFrom("batches")
    .select("id")
    .where("message_id", "=", like.message_id)
    .where("push_service", "=", to.push_service)
    .where("vapid_key_id", "=", to.vapid_key_id)
    .where("lane", "=", lane)
    .where("due_at_ms", "=", like.due_at_ms)
    .where("expires_at_ms", "=", like.expires_at_ms)
    .where("last_id", "=", sql.lit(0))
    .where("state", "=", sql.lit("open"))
    .where(coversOrigin(to.push_origin))
    .where("push_origin", "is", null)
    .limit(1);
}

async function hostOf(
  transaction: Connection,
  like: Hosted & { projectId: number },
  to: Place,
): Promise<number> {
  const at = { pushOrigin: to.push_origin, vapidKeyId: to.vapid_key_id };
  const isProven = (await provenOrigin(transaction, at).executeTakeFirst()) !== undefined;
  const lane = isProven ? sharedLane : unprovenLane;
  const found = await hostsOf(transaction, like, to, lane).executeTakeFirst();
  if (found !== undefined) return found.id;
  const { insertId } = await transaction
    .insertInto("batches")
    .values({
      message_id: like.message_id,
      project_id: like.projectId,
      push_service: to.push_service,
      vapid_key_id: to.vapid_key_id,
      push_origin: null,
      only_origins: null,
      except_origins: null,
      lane,
      time_zones: null,
      state: "open",
      cursor: 0,
      last_id: 0,
      due_at_ms: like.due_at_ms,
      expires_at_ms: like.expires_at_ms,
      // Until it has a retry.
      ready_at_ms: like.expires_at_ms,
      planned: 0,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** One registration that was planned in a batch is planned in another one now, as a retry at `retryAtMs`. */
async function takePlanned(
  transaction: Connection,
  from: number,
  to: number,
  retryAtMs: number,
): Promise<void> {
  await movePlanned(transaction, { from, to, count: 1 });
  // One that came into the audience later was planned nowhere.
  await addCounts(transaction, from, noCounts());
  await transaction
    .updateTable("batches")
    .set({ ready_at_ms: sql<number>`min(ready_at_ms, ${retryAtMs})` })
    .where("id", "=", to)
    .execute();
  await addCounts(transaction, to, { ...noCounts(), retry: 1 });
}

export async function addRow(
  transaction: Connection,
  { id, generation }: Pick<Moving, "id" | "generation">,
  pushOrigin: string,
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
      push_origin: pushOrigin,
      first_tried_at_ms: null,
      generation,
      attempts: 0,
      reason: movedReason,
      detail: "",
    })
    .execute();
}
