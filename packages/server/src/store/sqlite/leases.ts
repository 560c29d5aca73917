/** Which batches can be worked on, and by whom. */
import { sql, type RawBuilder } from "kysely";
import type { Batch, Destination, ReadyDestination } from "../port.ts";
import { compileOnce } from "./compile-once.ts";
import { withoutWaiting, type Connection } from "./connection.ts";

export type Lease = { owner: string; untilMs: number };

/** An open batch that this owner may lease now, and that has something to do. */
function ready(owner: string, nowMs: number): RawBuilder<boolean> {
  return sql`state = 'open' and ready_at_ms <= ${nowMs} and expires_at_ms > ${nowMs}
    and (lease_owner is null or (lease_until_ms <= ${nowMs} and lease_owner <> ${owner}))`;
}

/**
 * Goes from destination to destination in an index of open batches, so that it reads a few entries for each however
 * many batches they have.
 */
export function readyDestinations(owner: string, nowMs: number, limit: number) {
  return sql<Destination & { probe: 0 | 1 }>`
    with recursive destination (push_origin, vapid_key_id) as (
      select * from (
        select push_origin, vapid_key_id from batches where state = 'open'
          order by push_origin, vapid_key_id limit 1)
      union all
      select next.push_origin, next.vapid_key_id from destination
        cross join batches as next on next.id = ifnull(
          (select id from batches where state = 'open' and push_origin = destination.push_origin
              and vapid_key_id > destination.vapid_key_id order by vapid_key_id limit 1),
          (select id from batches where state = 'open' and push_origin > destination.push_origin
              order by push_origin, vapid_key_id limit 1))
    )
    select push_origin as pushOrigin, vapid_key_id as vapidKeyId, probe_at_ms is not null as probe
      from destination left join breakers using (push_origin, vapid_key_id)
      where ifnull(probe_at_ms <= ${nowMs}, true)
        and exists (select 1 from batches
          where batches.push_origin = destination.push_origin
            and batches.vapid_key_id = destination.vapid_key_id and ${ready(owner, nowMs)})
      order by (select max(worked_at_ms) from batches
          where batches.push_origin = destination.push_origin
            and batches.vapid_key_id = destination.vapid_key_id) nulls first,
        push_origin, vapid_key_id
      limit ${limit}`;
}

export async function findReadyDestinations(
  connection: Connection,
  owner: string,
  nowMs: number,
  limit: number,
): Promise<ReadyDestination[]> {
  const { rows } = await readReadyDestinations(connection, { owner, nowMs, limit });
  return rows.map(({ pushOrigin, vapidKeyId, probe }) => ({
    pushOrigin,
    vapidKeyId,
    probe: probe === 1,
  }));
}

type Asked = { owner: string; nowMs: number };

const readReadyDestinations = compileOnce((_, { owner, nowMs, limit }: Asked & { limit: number }) =>
  readyDestinations(owner, nowMs, limit),
);

/** Goes from message to message in the same way. */
export function readyMessages(
  { pushOrigin, vapidKeyId }: Destination,
  owner: string,
  nowMs: number,
) {
  const here = sql`push_origin = ${pushOrigin} and vapid_key_id = ${vapidKeyId}`;
  return sql<{ id: string }>`
    with recursive message (id) as (
      select min(message_id) from batches where state = 'open' and ${here}
      union all
      select (select min(message_id) from batches
          where state = 'open' and ${here} and message_id > message.id)
        from message where message.id is not null
    )
    select id from message
      where exists (select 1 from batches
        where ${here} and batches.message_id = message.id and ${ready(owner, nowMs)})
      order by (select max(worked_at_ms) from batches
          where batches.message_id = message.id and ${here}) nulls first, id`;
}

export async function findReadyMessages(
  connection: Connection,
  { pushOrigin, vapidKeyId }: Destination,
  owner: string,
  nowMs: number,
): Promise<string[]> {
  const { rows } = await readReadyMessages(connection, { pushOrigin, vapidKeyId, owner, nowMs });
  return rows.map(({ id }) => id);
}

const readReadyMessages = compileOnce((_, asked: Destination & Asked) =>
  readyMessages(asked, asked.owner, asked.nowMs),
);

/** Of the ready batches the one that has been so for longest: first attempts before retries, in the order of planning. */
export function leaseFirst(
  connection: Connection,
  { pushOrigin, vapidKeyId }: Destination,
  messageId: string,
  { owner, untilMs }: Lease,
  nowMs: number,
) {
  return connection
    .updateTable("batches")
    .set({ lease_owner: owner, lease_until_ms: untilMs, worked_at_ms: nowMs })
    .where("id", "=", (batch) =>
      batch
        .selectFrom("batches")
        .select("id")
        .where("push_origin", "=", pushOrigin)
        .where("vapid_key_id", "=", vapidKeyId)
        .where("message_id", "=", messageId)
        .where(ready(owner, nowMs))
        .orderBy("ready_at_ms")
        .orderBy("id")
        .limit(1),
    )
    .returning(["id", "project_id", "cursor", "last_id", "due_at_ms"]);
}

const writeLease = compileOnce(
  (connection, asked: Destination & Asked & { messageId: string; untilMs: number }) =>
    leaseFirst(connection, asked, asked.messageId, asked, asked.nowMs),
);

/** Does not wait for the disk: whoever starts after the machine has stopped ends all leases that there are. */
export async function lease(
  connection: Connection,
  { pushOrigin, vapidKeyId }: Destination,
  messageId: string,
  { owner, untilMs }: Lease,
  nowMs: number,
): Promise<Batch | null> {
  const asked = { pushOrigin, vapidKeyId, messageId, owner, untilMs, nowMs };
  const { rows } = await withoutWaiting(connection, (held) => writeLease(held, asked));
  const row = rows[0];
  return row === undefined
    ? null
    : {
        id: row.id,
        messageId,
        projectId: row.project_id,
        pushOrigin,
        vapidKeyId,
        cursor: row.cursor,
        lastId: row.last_id,
        dueAtMs: row.due_at_ms,
      };
}

export async function extendLease(connection: Connection, batchId: number, to: Lease) {
  const { numUpdatedRows } = await connection
    .updateTable("batches")
    .set({ lease_until_ms: to.untilMs })
    .where("id", "=", batchId)
    .where("lease_owner", "=", to.owner)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function release(connection: Connection, batchId: number, owner: string) {
  const { numUpdatedRows } = await connection
    .updateTable("batches")
    .set({ lease_owner: null, lease_until_ms: null })
    .where("id", "=", batchId)
    .where("lease_owner", "=", owner)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export function releaseAll(connection: Connection) {
  return connection
    .updateTable("batches")
    .set({ lease_owner: null, lease_until_ms: null })
    .where("lease_owner", "is not", null);
}
