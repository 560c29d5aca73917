/** A batch's row: which registrations it covers, and as the port sees it. */
import { sql, type RawBuilder, type Selectable } from "kysely";
import type { Batch } from "../port.ts";
import type { Tables } from "./tables.ts";

/** Of push origins that have accepted something. */
export const sharedLane = "shared";
/** Of push origins that have never accepted anything. */
export const unprovenLane = "unproven";

export type BatchRow = Pick<
  Selectable<Tables["batches"]>,
  | "id"
  | "message_id"
  | "project_id"
  | "push_service"
  | "vapid_key_id"
  | "push_origin"
  | "only_origins"
  | "except_origins"
  | "lane"
  | "time_zones"
  | "lease_epoch"
  | "cursor"
  | "last_id"
  | "due_at_ms"
  | "expires_at_ms"
>;

export const batchColumns = [
  "id",
  "message_id",
  "project_id",
  "push_service",
  "vapid_key_id",
  "push_origin",
  "only_origins",
  "except_origins",
  "lane",
  "time_zones",
  "lease_epoch",
  "cursor",
  "last_id",
  "due_at_ms",
  "expires_at_ms",
] as const satisfies readonly (keyof BatchRow)[];

export function batchFromRow(row: BatchRow): Batch {
  return {
    id: row.id,
    messageId: row.message_id,
    projectId: row.project_id,
    pushService: row.push_service,
    vapidKeyId: row.vapid_key_id,
    lane: row.lane,
    onlyOrigins: row.push_origin === null ? listOf(row.only_origins) : [row.push_origin],
    exceptOrigins: listOf(row.except_origins) ?? [],
    epoch: row.lease_epoch,
    cursor: row.cursor,
    lastId: row.last_id,
    dueAtMs: row.due_at_ms,
  };
}

function listOf(json: string | null): string[] | null {
  if (json === null) return null;
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.map(String) : null;
}

/** Where batches find a registration, in columns of its row. */
export type Place = Pick<
  Selectable<Tables["registrations"]>,
  "push_service" | "push_origin" | "vapid_key_id" | "time_zone"
>;

/** Whether a batch (a row of `batches`) covers registrations at this place, whatever their ids are. */
export function covers({ push_origin, time_zone, ...at }: Place): RawBuilder<boolean> {
  return sql`(batches.push_service = ${at.push_service} and batches.vapid_key_id = ${at.vapid_key_id}
    and ${coversOrigin(push_origin)}
    and (batches.time_zones is null
      or exists (select 1 from json_each(batches.time_zones) where value is ${time_zone})))`;
}

export function coversOrigin(pushOrigin: string): RawBuilder<boolean> {
  return sql`(case
    when batches.push_origin is not null then batches.push_origin = ${pushOrigin}
    when batches.only_origins is not null
      then exists (select 1 from json_each(batches.only_origins) where value = ${pushOrigin})
    else batches.except_origins is null
      or not exists (select 1 from json_each(batches.except_origins) where value = ${pushOrigin}) end)`;
}

/** A batch without a range holds retries of registrations that moved to where no walk would meet them. */
export function holdsMoved(batch: { last_id: number }): boolean {
  return batch.last_id === 0;
}

/** When nothing but retries is left of a batch: it ends with the message's TTL. */
export const untilTtl = sql<number>`min(expires_at_ms, due_at_ms + 1000 * (
  select ttl_seconds from messages where messages.id = batches.message_id))`;
