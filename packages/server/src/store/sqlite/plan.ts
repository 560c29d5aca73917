import { sql } from "kysely";
import type { DeliveryStore, Message } from "../port.ts";
import { audienceGroups, between, endOfPart } from "./audience.ts";
import { sharedLane, unprovenLane } from "./batch-rows.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { addToMessage, noCounts } from "./counts.ts";
import { messageFromRow } from "./messages.ts";

/** First attempts are made for so long at least, so that a message with TTL 0 ("now or never") reaches everybody once. */
export const shortestWalkMs = 600_000;

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
  const apart = await originsApart(transaction, groups);
  for (const batch of groups.flatMap((group) => batchesOf(group, apart))) {
    await transaction
      .insertInto("batches")
      .values({
        message_id: message.id,
        project_id: message.projectId,
        push_service: batch.pushService,
        vapid_key_id: batch.vapidKeyId,
        push_origin: batch.pushOrigin,
        only_origins: batch.only === null ? null : JSON.stringify(batch.only),
        except_origins: batch.except.length === 0 ? null : JSON.stringify(batch.except),
        lane: batch.lane,
        held: batch.held ? 1 : 0,
        time_zones: batch.timeZones === null ? null : JSON.stringify(batch.timeZones),
        state: "open",
        cursor: plannedTo,
        last_id: upTo,
        due_at_ms: batch.dueAtMs,
        expires_at_ms: batch.dueAtMs + Math.max(message.ttlSeconds * 1000, shortestWalkMs),
        ready_at_ms: batch.dueAtMs,
        planned: batch.count,
      })
      .execute();
  }
  for (const { pushService, origins } of groups) {
    const planned = sum(origins.map(({ count }) => count));
    await addToMessage(transaction, {
      ...noCounts(),
      messageId: message.id,
      pushService,
      planned,
    });
  }
  return true;
}

/** Registrations of a part that one destination reaches at one time, by push origin. */
type Group = {
  pushService: string;
  vapidKeyId: number;
  timeZones: (string | null)[] | null;
  dueAtMs: number;
  origins: { pushOrigin: string; count: number }[];
};

/** Which registrations of the part are in the audience; for a local time also by when it is due. */
async function groupsOf(
  transaction: Connection,
  message: Message,
  part: { plannedTo: number; upTo: number; dueAt: (timeZone: string | null) => number },
): Promise<Group[]> {
  const counted = audienceGroups(transaction, message, between(part.plannedTo, part.upTo));
  const isLocal = message.localTime !== null;
  const rows = isLocal
    ? await counted
        .select("registrations.time_zone as timeZone")
        .groupBy("registrations.time_zone")
        .execute()
    : await counted.select(sql<null>`null`.as("timeZone")).execute();
  const merged = new Map<string, Omit<Group, "origins"> & { counts: Map<string, number> }>();
  for (const { pushService, pushOrigin, vapidKeyId, timeZone, count } of rows) {
    // A browser where that time has passed already gets it at once, with all of the TTL.
    const dueAtMs = isLocal
      ? Math.max(part.dueAt(timeZone), message.createdAtMs)
      : message.scheduledAtMs;
    const key = JSON.stringify([pushService, vapidKeyId, dueAtMs]);
    const group = merged.get(key) ?? {
      pushService,
      vapidKeyId,
      timeZones: isLocal ? [] : null,
      dueAtMs,
      counts: new Map<string, number>(),
    };
    if (group.timeZones?.includes(timeZone) === false) group.timeZones.push(timeZone);
    group.counts.set(pushOrigin, (group.counts.get(pushOrigin) ?? 0) + count);
    merged.set(key, group);
  }
  return [...merged.values()].map(({ counts, ...group }) => {
    const origins = Array.from(counts, ([pushOrigin, count]) => ({ pushOrigin, count }));
    return Object.assign(group, { origins });
  });
}

/** Tells whether a push origin has ever accepted anything under this key, and whether a breaker holds it. */
type Apart = { isProven: IsAt; isHeld: IsAt };
type IsAt = (pushOrigin: string, vapidKeyId: number) => boolean;

async function originsApart(transaction: Connection, groups: readonly Group[]): Promise<Apart> {
  const named = JSON.stringify(
    groups.flatMap(({ origins }) => origins.map(({ pushOrigin }) => pushOrigin)),
  );
  const among = async (table: "proven_origins" | "breakers"): Promise<IsAt> => {
    const rows = await transaction
      .selectFrom(table)
      .select(["push_origin", "vapid_key_id"])
      .where("push_origin", "in", sql<string>`(select value from json_each(${named}))`)
      .execute();
    const found = new Set(rows.map((row) => `${row.vapid_key_id} ${row.push_origin}`));
    return (pushOrigin, vapidKeyId) => found.has(`${vapidKeyId} ${pushOrigin}`);
  };
  return { isProven: await among("proven_origins"), isHeld: await among("breakers") };
}

type Planned = Omit<Group, "origins"> & {
  pushOrigin: string | null;
  only: readonly string[] | null;
  except: readonly string[];
  lane: string;
  held: boolean;
  count: number;
};

/** Of an unproven push origin, in a part: it has a batch of its own. */
const manyRegistrations = 20;

/**
 * One batch for all proven push origins, one for those that have never accepted anything but for the large ones, and one
 * for each that a breaker holds. Pure.
 */
function batchesOf({ origins, ...group }: Group, { isProven, isHeld }: Apart): Planned[] {
  const { vapidKeyId } = group;
  const held = origins.filter(({ pushOrigin }) => isHeld(pushOrigin, vapidKeyId));
  const free = origins.filter(({ pushOrigin }) => !isHeld(pushOrigin, vapidKeyId));
  const proven = free.filter(({ pushOrigin }) => isProven(pushOrigin, vapidKeyId));
  const unproven = free.filter(({ pushOrigin }) => !isProven(pushOrigin, vapidKeyId));
  const batches: Planned[] = held.map(({ pushOrigin, count }) => ({
    ...group,
    pushOrigin,
    only: null,
    except: [],
    lane: isProven(pushOrigin, vapidKeyId) ? pushOrigin : unprovenLane,
    held: true,
    count,
  }));
  // The batch that was planned first has its turn first: hosts with many registrations are probably not made up.
  const many = unproven.filter(({ count }) => count >= manyRegistrations);
  const few = unproven.filter(({ count }) => count < manyRegistrations);
  for (const some of [...many.map((each) => [each]), few]) {
    const [first, ...others] = some.map(({ pushOrigin }) => pushOrigin);
    if (first === undefined) continue;
    batches.push({
      ...group,
      pushOrigin: others.length === 0 ? first : null,
      only: others.length === 0 ? null : [first, ...others],
      except: [],
      lane: unprovenLane,
      held: false,
      count: sum(some.map(({ count }) => count)),
    });
  }
  if (proven.length > 0) {
    batches.push({
      ...group,
      pushOrigin: null,
      only: null,
      except: [...held, ...unproven].map(({ pushOrigin }) => pushOrigin),
      lane: sharedLane,
      held: false,
      count: sum(proven.map(({ count }) => count)),
    });
  }
  return batches;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((so, far) => so + far, 0);
}
