/** Which batches have something to do, and who works on them. */
import { sql } from "kysely";
import type { Batch, Destination, HeldLease, Lease, PushOriginKey } from "../port.ts";
import { batchColumns, batchFromRow } from "./batch-rows.ts";
import { compileOnce } from "./compile-once.ts";
import { withoutWaiting, type Connection } from "./connection.ts";

// What a batch must be to be in the index batches_due. SQLite uses a partial index only for a condition it can see.
const free = sql`state = 'open' and held = 0 and lease_owner is null`;

/** Goes from destination to destination in the index of free batches: a few entries each, however many batches they have. */
export function readyDestinations(nowMs: number) {
  return sql<Destination>`
    with recursive destination (push_service, vapid_key_id, lane) as (
      select * from (
        select push_service, vapid_key_id, lane from batches indexed by batches_due where ${free}
          order by push_service, vapid_key_id, lane limit 1)
      union all
      select next.push_service, next.vapid_key_id, next.lane from destination
        cross join batches as next on next.id = coalesce(
          (select id from batches indexed by batches_due where ${free}
            and push_service = destination.push_service and vapid_key_id = destination.vapid_key_id
            and lane > destination.lane order by lane limit 1),
          (select id from batches indexed by batches_due where ${free}
            and push_service = destination.push_service and vapid_key_id > destination.vapid_key_id
            order by vapid_key_id, lane limit 1),
          (select id from batches indexed by batches_due where ${free}
            and push_service > destination.push_service order by push_service, vapid_key_id, lane limit 1))
    )
    select push_service as pushService, vapid_key_id as vapidKeyId, lane from destination
      where exists (select 1 from batches indexed by batches_due
        where batches.push_service = destination.push_service
          and batches.vapid_key_id = destination.vapid_key_id and batches.lane = destination.lane
          and ${free} and ready_at_ms <= ${nowMs} and expires_at_ms > ${nowMs})
      order by push_service, vapid_key_id, lane`;
}

const readReadyDestinations = compileOnce((_, { nowMs }: { nowMs: number }) =>
  readyDestinations(nowMs),
);

export async function findReadyDestinations(
  connection: Connection,
  nowMs: number,
): Promise<Destination[]> {
  return (await readReadyDestinations(connection, { nowMs })).rows;
}

type Asked = Destination & { nowMs: number };

/** Reads an entry for each batch that is due there. */
export function readyMessages({ pushService, vapidKeyId, lane, nowMs }: Asked) {
  return sql<{ id: string }>`
    select message_id as id from batches indexed by batches_due
      where push_service = ${pushService} and vapid_key_id = ${vapidKeyId} and lane = ${lane} and ${free}
        and ready_at_ms <= ${nowMs} and expires_at_ms > ${nowMs}
      group by message_id order by min(ready_at_ms), message_id`;
}

const readReadyMessages = compileOnce((_, asked: Asked) => readyMessages(asked));

export async function findReadyMessages(
  connection: Connection,
  { pushService, vapidKeyId, lane }: Destination,
  nowMs: number,
): Promise<string[]> {
  const { rows } = await readReadyMessages(connection, { pushService, vapidKeyId, lane, nowMs });
  return rows.map(({ id }) => id);
}

/** Of the ready batches the one that has been so for longest: first attempts before retries, in the order of planning. */
export function leaseFirst(
  connection: Connection,
  asked: Asked & { messageId: string; owner: string; untilMs: number },
) {
  const { pushService, vapidKeyId, lane, messageId, nowMs } = asked;
  return takeLease(connection, asked).where(
    "id",
    "=",
    sql<number>`(select id from batches indexed by batches_due
      where push_service = ${pushService} and vapid_key_id = ${vapidKeyId} and lane = ${lane} and ${free}
        and ready_at_ms <= ${nowMs} and expires_at_ms > ${nowMs} and message_id = ${messageId}
      order by ready_at_ms, id limit 1)`,
  );
}

export function leaseFirstHeld(
  connection: Connection,
  asked: PushOriginKey & { owner: string; untilMs: number; nowMs: number },
) {
  return takeLease(connection, asked).where("id", "=", (batch) =>
    firstOfOrigin(connection, asked)
      .where("push_origin", "=", asked.pushOrigin)
      .where("vapid_key_id", "=", asked.vapidKeyId)
      .orderBy(batch.ref("ready_at_ms"))
      .orderBy(batch.ref("id"))
      .limit(1),
  );
}

function takeLease(connection: Connection, { owner, untilMs }: Lease) {
  return connection
    .updateTable("batches")
    .set((row) => ({
      lease_owner: owner,
      lease_until_ms: untilMs,
      lease_epoch: row("lease_epoch", "+", 1),
      stopped: 0,
    }))
    .returning(batchColumns);
}

/** Batches of single push origins that nobody works on and that have something to do. */
function firstOfOrigin(connection: Connection, { nowMs }: { nowMs: number }) {
  return (
    connection
      .selectFrom("batches")
      .select("batches.id")
      .where("state", "=", sql.lit("open"))
      .where("lease_owner", "is", null)
      .where("ready_at_ms", "<=", nowMs)
      // The plus keeps SQLite from the index of what expires, which is that of every open batch.
      .where(sql<boolean>`+batches.expires_at_ms > ${nowMs}`)
  );
}

const writeLease = compileOnce((connection, asked: Parameters<typeof leaseFirst>[1]) =>
  leaseFirst(connection, asked),
);
const writeHeldLease = compileOnce((connection, asked: Parameters<typeof leaseFirstHeld>[1]) =>
  leaseFirstHeld(connection, asked),
);

/** Does not wait for the disk: a server that starts after the machine has stopped ends all leases that there are. */
export async function lease(
  connection: Connection,
  { pushService, vapidKeyId, lane }: Destination,
  messageId: string,
  { owner, untilMs }: Lease,
  nowMs: number,
): Promise<Batch | null> {
  const asked = { pushService, vapidKeyId, lane, messageId, owner, untilMs, nowMs };
  const { rows } = await withoutWaiting(connection, (held) => writeLease(held, asked));
  return rows[0] === undefined ? null : batchFromRow(rows[0]);
}

/** As `lease`. */
export async function leaseHeld(
  connection: Connection,
  { pushOrigin, vapidKeyId }: PushOriginKey,
  { owner, untilMs }: Lease,
  nowMs: number,
): Promise<Batch | null> {
  const asked = { pushOrigin, vapidKeyId, owner, untilMs, nowMs };
  const { rows } = await withoutWaiting(connection, (held) => writeHeldLease(held, asked));
  return rows[0] === undefined ? null : batchFromRow(rows[0]);
}

/** Breakers of unproven push origins whose probe is due, and that hold a batch which has something to do. */
export function dueProbes(connection: Connection, nowMs: number, limit: number) {
  return connection
    .selectFrom("breakers")
    .select(["breakers.push_origin as pushOrigin", "breakers.vapid_key_id as vapidKeyId"])
    .where("probe_at_ms", "<=", nowMs)
    .where(
      sql<boolean>`not exists (select 1 from proven_origins
        where proven_origins.push_origin = breakers.push_origin
          and proven_origins.vapid_key_id = breakers.vapid_key_id)`,
    )
    .where((row) =>
      row.exists(
        firstOfOrigin(connection, { nowMs })
          .where("batches.push_origin", "=", row.ref("breakers.push_origin"))
          .where("batches.vapid_key_id", "=", row.ref("breakers.vapid_key_id")),
      ),
    )
    .orderBy("probe_at_ms")
    .limit(limit);
}

/**
 * The same of proven push origins. They are few, and the others may be thousands that anybody has brought; so they are sought
 * by themselves.
 */
export function dueProvenProbes(nowMs: number, limit: number) {
  return sql<PushOriginKey>`
    select breakers.push_origin as pushOrigin, breakers.vapid_key_id as vapidKeyId
    from proven_origins cross join breakers on breakers.push_origin = proven_origins.push_origin
      and breakers.vapid_key_id = proven_origins.vapid_key_id
    where probe_at_ms <= ${nowMs} and exists (select 1 from batches indexed by batches_of_origin
      where state = 'open' and lease_owner is null and ready_at_ms <= ${nowMs} and expires_at_ms > ${nowMs}
        and batches.push_origin = breakers.push_origin and batches.vapid_key_id = breakers.vapid_key_id)
    order by probe_at_ms limit ${limit}`;
}

type Probes = { nowMs: number; limit: number };
const readDueProbes = compileOnce((connection, { nowMs, limit }: Probes) =>
  dueProbes(connection, nowMs, limit),
);
const readDueProvenProbes = compileOnce((_, { nowMs, limit }: Probes) =>
  dueProvenProbes(nowMs, limit),
);

export async function findDueProbes(connection: Connection, nowMs: number, limit: number) {
  const proven = await readDueProvenProbes(connection, { nowMs, limit });
  const unproven = await readDueProbes(connection, { nowMs, limit });
  return [
    ...proven.rows.map(({ pushOrigin, vapidKeyId }) => ({ pushOrigin, vapidKeyId, proven: true })),
    ...unproven.rows.map(({ pushOrigin, vapidKeyId }) => ({
      pushOrigin,
      vapidKeyId,
      proven: false,
    })),
  ];
}

function leased(connection: Connection, { id, epoch, owner }: HeldLease) {
  return connection
    .updateTable("batches")
    .where("id", "=", id)
    .where("lease_epoch", "=", epoch)
    .where("lease_owner", "=", owner);
}

async function hasChanged(update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | undefined>;
}): Promise<boolean> {
  return (await update.executeTakeFirst())?.numUpdatedRows === 1n;
}

export function extendLease(connection: Connection, held: HeldLease, untilMs: number) {
  return hasChanged(leased(connection, held).set({ lease_until_ms: untilMs }));
}

export function release(connection: Connection, held: HeldLease) {
  return hasChanged(leased(connection, held).set(noLease));
}

export function confirmStopped(connection: Connection, held: HeldLease) {
  return hasChanged(
    leased(connection, held).set({ stopped: 1 }).where("state", "<>", sql.lit("open")),
  );
}

export async function isStopping(connection: Connection, messageId: string, nowMs: number) {
  const row = await stopping(connection, messageId, nowMs).executeTakeFirst();
  return row !== undefined;
}

export function stopping(connection: Connection, messageId: string, nowMs: number) {
  return connection
    .selectFrom("batches")
    .select("id")
    .where("message_id", "=", messageId)
    .where("state", "=", sql.lit("cancelled"))
    .where("lease_until_ms", ">", nowMs)
    .where("stopped", "=", 0)
    .limit(1);
}

const noLease = { lease_owner: null, lease_until_ms: null, stopped: 0 } as const;

export function endedLeases(connection: Connection, owner: string, nowMs: number) {
  return connection
    .selectFrom("batches")
    .select("id")
    .where("lease_owner", "is not", null)
    .where("lease_until_ms", "<=", nowMs)
    .where("lease_owner", "<>", owner)
    .where("state", "=", sql.lit("open"));
}

const readEndedLeases = compileOnce((connection, asked: { owner: string; nowMs: number }) =>
  endedLeases(connection, asked.owner, asked.nowMs).limit(1),
);

export async function freeEndedLeases(connection: Connection, owner: string, nowMs: number) {
  // Nearly always there is none: that takes no turn to write.
  const { rows } = await readEndedLeases(connection, { owner, nowMs });
  if (rows.length === 0) return;
  await connection
    .updateTable("batches")
    .set(noLease)
    .where("id", "in", endedLeases(connection, owner, nowMs))
    .execute();
}

export function releaseAll(connection: Connection) {
  return connection.updateTable("batches").set(noLease).where("lease_owner", "is not", null);
}
