/** What a batch has to send next. */
import { sql } from "kysely";
import type { Batch, DueRetry, Message, Recipient } from "../port.ts";
import { audience, between, oneOf, type Part } from "./audience.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

/** Who has a row among the exceptions has had a turn, or has it by that row alone (moved.ts). */
export function nextOfBatch(
  connection: Connection,
  batch: Batch,
  message: Pick<Message, "id" | "projectId" | "target" | "localTime">,
  limit: number,
) {
  const inRange = atDestination(batch, between(batch.cursor, batch.lastId));
  const inZone = message.localTime === null ? sql`true` : inZoneOf(batch);
  const part: Part = (id) => sql<boolean>`${inRange(id)} and ${inZone}
    and not exists (select 1 from message_exceptions
      where message_id = ${message.id} and registration_id = registrations.id)`;
  return audience(connection, message, part, limit);
}

export function batchPage(
  connection: Connection,
  batch: Batch,
  message: Message,
  limit: number,
): Promise<Recipient[]> {
  return nextOfBatch(connection, batch, message, limit).execute();
}

export function retriesOf(
  connection: Connection,
  batch: Pick<Batch, "id">,
  nowMs: number,
  limit: number,
) {
  return connection
    .selectFrom("message_exceptions")
    .select(["registration_id", "attempts", "changed_at_ms"])
    .where("batch_id", "=", batch.id)
    .where("kind", "=", sql.lit("retry"))
    .where("due_at_ms", "<=", nowMs)
    .orderBy("due_at_ms")
    .limit(limit);
}

const readRetries = compileOnce((connection, batch: { id: number; nowMs: number; limit: number }) =>
  retriesOf(connection, batch, batch.nowMs, batch.limit),
);

export async function dueRetries(
  connection: Connection,
  batch: Batch,
  message: Message,
  nowMs: number,
  limit: number,
): Promise<DueRetry[]> {
  const { rows: due } = await readRetries(connection, { id: batch.id, nowMs, limit });
  if (due.length === 0) return [];
  // Not those who left the topic, or whose browser is another user's now.
  const part = atDestination(batch, oneOf(due.map((row) => row.registration_id)));
  const still = await audience(connection, message, part, due.length).execute();
  const byId = new Map(still.map((recipient) => [recipient.registrationId, recipient]));
  return due.map((row) => ({
    registrationId: row.registration_id,
    attempts: row.attempts,
    changedAtMs: row.changed_at_ms,
    recipient: byId.get(row.registration_id) ?? null,
  }));
}

function atDestination({ pushOrigin, vapidKeyId }: Batch, part: Part): Part {
  return (id) => sql<boolean>`${part(id)} and registrations.push_origin = ${pushOrigin}
    and registrations.vapid_key_id = ${vapidKeyId}`;
}

/** An unknown time zone is null in the list, and never equal to anything in a comparison. */
function inZoneOf(batch: Batch) {
  return sql<boolean>`ifnull(registrations.time_zone, '') in (
    select ifnull(value, '') from batches, json_each(batches.time_zones) where batches.id = ${batch.id})`;
}
