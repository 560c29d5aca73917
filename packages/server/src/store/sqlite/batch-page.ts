/** What a batch has to send next. */
import { sql, type RawBuilder } from "kysely";
import type { Batch, DueRetry, Message, Recipient } from "../port.ts";
import { audience, between, oneOf, type Part } from "./audience.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";

/** Which registrations are meant, as the batch says: those of its range, or of its push origins. */
type Range = Pick<
  Batch,
  | "id"
  | "messageId"
  | "pushService"
  | "vapidKeyId"
  | "onlyOrigins"
  | "exceptOrigins"
  | "cursor"
  | "lastId"
>;

/**
 * The registrations of the batch's range that have had no turn: one with a row among the exceptions has had it, or has it by that row
 * alone (moved.ts).
 * @param timeZones the batch's (JSON); null: all
 */
export function unwalked(batch: Range, timeZones: string | null): Part {
  const inRange = atBatch(batch, between(batch.cursor, batch.lastId));
  const inZone = timeZones === null ? sql`true` : inZones(sql`${timeZones}`);
  return (id) => sql<boolean>`${inRange(id)} and ${inZone}
    and not exists (select 1 from message_exceptions
      where message_id = ${batch.messageId} and registration_id = registrations.id)`;
}

export function nextOfBatch(
  connection: Connection,
  batch: Batch,
  message: Pick<Message, "id" | "projectId" | "target" | "localTime">,
  limit: number,
) {
  const ofBatch = sql`(select time_zones from batches where id = ${batch.id})`;
  const part = unwalked(batch, null);
  const inZone = message.localTime === null ? sql`true` : inZones(ofBatch);
  return audience(connection, message, (id) => sql<boolean>`${part(id)} and ${inZone}`, limit);
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
    .select(["registration_id", "push_origin", "attempts", "first_tried_at_ms", "changed_at_ms"])
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
  // Not one that left the topic, or whose browser is another user's now.
  const part = atBatch(batch, oneOf(due.map((row) => row.registration_id)));
  const still = await audience(connection, message, part, due.length).execute();
  const byId = new Map(still.map((recipient) => [recipient.registrationId, recipient]));
  return due.map((row) => ({
    registrationId: row.registration_id,
    pushOrigin: row.push_origin,
    attempts: row.attempts,
    firstTriedAtMs: row.first_tried_at_ms,
    changedAtMs: row.changed_at_ms,
    recipient: byId.get(row.registration_id) ?? null,
  }));
}

function atBatch({ pushService, vapidKeyId, onlyOrigins, exceptOrigins }: Range, part: Part): Part {
  return (id) => sql<boolean>`${part(id)} and registrations.push_service = ${pushService}
    and registrations.vapid_key_id = ${vapidKeyId} and ${ofOrigins(onlyOrigins, exceptOrigins)}`;
}

function ofOrigins(only: readonly string[] | null, except: readonly string[]): RawBuilder<boolean> {
  if (only === null) {
    return except.length === 0
      ? sql`true`
      : sql`registrations.push_origin not in ${listed(except)}`;
  }
  const [single] = only;
  return only.length === 1
    ? sql`registrations.push_origin = ${single}`
    : sql`registrations.push_origin in ${listed(only)}`;
}

export function listed(values: readonly string[]): RawBuilder<unknown> {
  return sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/** An unknown time zone is null in the list, and never equal to anything in a comparison. */
function inZones(list: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`ifnull(registrations.time_zone, '') in (
    select ifnull(value, '') from json_each(${list}))`;
}
