import { sql } from "kysely";
import type { AuditEntry, OpenMessage } from "../port.ts";
import { cancelBatches } from "./cancel.ts";
import type { Connection } from "./connection.ts";

/** The key and those whose successor it is: a rotation leaves what they have scheduled to it. */
function lineOf(keyId: number) {
  return sql`with recursive line (id) as (
    select ${keyId}
    union
    select predecessor_id from api_keys join line on line.id = api_keys.id where predecessor_id is not null
  )`;
}

/** Ids grow: the one that was no successor. */
export async function firstOfLine(connection: Connection, keyId: number): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`${lineOf(keyId)} select min(id) as id from line`.execute(connection);
  return rows[0]?.id ?? keyId;
}

/** As literals, as the index has them. */
const ofLine = sql`publisher_kind = 'api-key' and publisher_id in (select id from line)
  and state in ('scheduled', 'sending', 'paused')`;

/** What the key has published that has not ended. @param named so many of them are given, those that come first */
export async function openMessagesOf(
  connection: Connection,
  keyId: number,
  named: number,
): Promise<{ count: number; first: OpenMessage[] }> {
  const counted = await sql<{ count: number }>`
    ${lineOf(keyId)} select count(*) as count from messages indexed by messages_of_api_key where ${ofLine}`.execute(
    connection,
  );
  const { rows } = await firstOfKey(keyId, named).execute(connection);
  return { count: counted.rows[0]?.count ?? 0, first: rows };
}

export function firstOfKey(keyId: number, named: number) {
  return sql<OpenMessage>`
    ${lineOf(keyId)}
    select id, coalesce(json_extract(notification, '$.title'), '') as title, state,
      scheduled_at_ms as scheduledAtMs
    from messages indexed by messages_of_api_key where ${ofLine} order by scheduled_at_ms, id limit ${named}`;
}

/** scheduled, sending or paused -> cancelled, all at once. @returns ids; `failIdle` is left to do for each */
export async function cancelOfKey(
  transaction: Connection,
  keyId: number,
  { projectId, actor, address }: AuditEntry,
  nowMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${lineOf(keyId)}
    update messages indexed by messages_of_api_key set state = 'cancelled', ended_at_ms = ${nowMs} where ${ofLine}
    returning id`.execute(transaction);
  const ids = rows.map(({ id }) => id);
  await cancelBatches(transaction, ids);
  await sql`insert into audit (at_ms, project_id, actor_kind, actor, action, subject, address)
    select ${nowMs}, ${projectId}, ${actor.kind}, ${actor.name}, 'message.cancelled', value, ${address}
    from json_each(${JSON.stringify(ids)})`.execute(transaction);
  return ids;
}
