import { sql } from "kysely";
import type { Destination, DeliveryStore, Message } from "../port.ts";
import { audienceGroups, between, endOfPart } from "./audience.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { messageFromRow } from "./messages.ts";

/** First attempts are made for so long at least, so that a message with TTL 0 ("now or never") reaches everybody once. */
const shortestWalkMs = 600_000;

// States in conditions are literals: SQLite uses a partial index only for a condition it can see.

export function toPlan(connection: Connection, nowMs: number) {
  return (
    connection
      .selectFrom("messages")
      .selectAll()
      .where(sql<boolean>`state in ('scheduled', 'sending')`)
      .where("scheduled_at_ms", "<=", nowMs)
      .where(sql<boolean>`(state = 'scheduled' or cursor < watermark)`)
      // SQLite sorts null first.
      .orderBy("planned_at_ms")
      .orderBy("scheduled_at_ms")
      .orderBy("id")
      .limit(1)
  );
}

export async function nextToPlan(connection: Connection, nowMs: number): Promise<Message | null> {
  const { rows } = await readToPlan(connection, { nowMs });
  return rows[0] === undefined ? null : messageFromRow(rows[0]);
}

const readToPlan = compileOnce((connection, { nowMs }: { nowMs: number }) =>
  toPlan(connection, nowMs),
);

export async function startSending(connection: Connection, messageId: string, nowMs: number) {
  const { numUpdatedRows } = await connection
    .updateTable("messages")
    .set((row) => ({
      state: "sending",
      started_at_ms: nowMs,
      watermark: row
        .selectFrom("registrations")
        .select((registration) =>
          registration.fn.coalesce(registration.fn.max<number>("id"), sql.lit(0)).as("id"),
        )
        .whereRef("registrations.project_id", "=", "messages.project_id")
        .where("ended_at_ms", "is", null),
    }))
    .where("id", "=", messageId)
    .where("state", "=", sql.lit("scheduled"))
    .where("scheduled_at_ms", "<=", nowMs)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** To be called in a transaction. */
export async function planPart(
  transaction: Connection,
  message: Message,
  { keys, dueAt }: Parameters<DeliveryStore["planPart"]>[1],
  nowMs: number,
): Promise<boolean> {
  const { plannedTo, watermark } = message;
  if (watermark === null || plannedTo >= watermark) return false;
  const end = endOfPart(transaction, message, { afterId: plannedTo, lastId: watermark, keys });
  const upTo = (await end.executeTakeFirst())?.id ?? watermark;
  const { numUpdatedRows } = await transaction
    .updateTable("messages")
    .set({ cursor: upTo, planned_at_ms: nowMs })
    .where("id", "=", message.id)
    .where("state", "=", sql.lit("sending"))
    .where("cursor", "=", plannedTo)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const groups = await groupsOf(transaction, message, { plannedTo, upTo, dueAt });
  for (const { pushOrigin, vapidKeyId, timeZones, dueAtMs, count } of groups) {
    await transaction
      .insertInto("batches")
      .values({
        message_id: message.id,
        project_id: message.projectId,
        push_origin: pushOrigin,
        vapid_key_id: vapidKeyId,
        time_zones: timeZones === null ? null : JSON.stringify(timeZones),
        state: "open",
        cursor: plannedTo,
        last_id: upTo,
        due_at_ms: dueAtMs,
        expires_at_ms: dueAtMs + Math.max(message.ttlSeconds * 1000, shortestWalkMs),
        ready_at_ms: dueAtMs,
        lease_owner: null,
        lease_until_ms: null,
        worked_at_ms: null,
        planned: count,
      })
      .execute();
  }
  const planned = groups.reduce((sum, { count }) => sum + count, 0);
  await transaction
    .updateTable("messages")
    .set((row) => ({ planned_count: row("planned_count", "+", planned) }))
    .where("id", "=", message.id)
    .execute();
  return true;
}

type Group = Destination & {
  timeZones: (string | null)[] | null;
  dueAtMs: number;
  count: number;
};

/** Who is in the audience, by destination; for a local time also by when it is due. */
async function groupsOf(
  transaction: Connection,
  message: Message,
  part: { plannedTo: number; upTo: number; dueAt: (timeZone: string | null) => number },
): Promise<Group[]> {
  const byDestination = audienceGroups(transaction, message, between(part.plannedTo, part.upTo));
  if (message.localTime === null) {
    const groups = await byDestination.execute();
    const dueAtMs = message.scheduledAtMs;
    return groups.map(({ pushOrigin, vapidKeyId, count }) => ({
      pushOrigin,
      vapidKeyId,
      timeZones: null,
      dueAtMs,
      count,
    }));
  }
  const byZone = await byDestination
    .select("registrations.time_zone as timeZone")
    .groupBy("registrations.time_zone")
    .execute();
  const merged = new Map<string, Group & { timeZones: (string | null)[] }>();
  for (const { pushOrigin, vapidKeyId, timeZone, count } of byZone) {
    // Who has passed that time already gets it at once, with all of the TTL.
    const dueAtMs = Math.max(part.dueAt(timeZone), message.createdAtMs);
    const key = JSON.stringify([pushOrigin, vapidKeyId, dueAtMs]);
    const group = merged.get(key) ?? { pushOrigin, vapidKeyId, timeZones: [], dueAtMs, count: 0 };
    group.timeZones.push(timeZone);
    group.count += count;
    merged.set(key, group);
  }
  return [...merged.values()];
}
