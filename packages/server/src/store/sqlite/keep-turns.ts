/**
 * What became of the registrations of a page while it was under way: each has one turn, in the walk of one batch, wherever it
 * went meanwhile.
 */
import { sql, type RawBuilder } from "kysely";
import type { Split } from "../port.ts";
import { addressed, audience } from "./audience.ts";
import { listed, unwalked } from "./batch-page.ts";
import { batchFromRow, type BatchRow } from "./batch-rows.ts";
import type { Connection } from "./connection.ts";
import { addRow, owe } from "./moved.ts";

/** Whether the walk of a split will come to this registration. */
function isAhead(splits: readonly Split[], pushOrigin: string, id: number): boolean {
  return splits.some((own) => own.pushOrigins.includes(pushOrigin) && own.cursor < id);
}

/**
 * Registrations that have accepted the message and have no row. One that has gone elsewhere meanwhile gets one, so that no other
 * batch meets it; one that another message has found gone is noted, for when it comes back. To be called in the transaction of a
 * checkpoint, before its splits.
 */
export async function keepServed(
  transaction: Connection,
  row: BatchRow,
  { accepted, splits }: { accepted: readonly number[]; splits: readonly Split[] },
  nowMs: number,
): Promise<void> {
  if (accepted.length === 0) return;
  const origins = splits.flatMap(({ pushOrigins }) => pushOrigins);
  const { rows } = await elsewhere(row, accepted, origins).execute(transaction);
  for (const { id, generation, pushOrigin, isGone, isCovered } of rows) {
    if (isGone === 1) await notePassed(transaction, id, row.message_id);
    else if (isCovered === 0 || isAhead(splits, pushOrigin, id)) {
      await addRow(transaction, { id, generation }, pushOrigin, {
        message_id: row.message_id,
        batch_id: null,
        kind: "accepted",
        due_at_ms: null,
        changed_at_ms: nowMs,
      });
    }
  }
}

type Elsewhere = {
  id: number;
  generation: number;
  pushOrigin: string;
  isGone: 0 | 1;
  isCovered: 0 | 1;
};

/** Those that are gone, that the batch does not cover any more, or that are at one of these push origins. */
export function elsewhere(
  row: BatchRow,
  ids: readonly number[],
  origins: readonly string[],
): RawBuilder<Elsewhere> {
  return sql<Elsewhere>`
    select id, generation, pushOrigin, isGone, isCovered from (
      select id, generation, push_origin as pushOrigin, end_reason is not null as isGone,
        ${coveredBy(row)} as isCovered
      from registrations where id in (select value from json_each(${JSON.stringify(ids)}))
        and coalesce(end_reason, 'gone') = 'gone')
    where isGone or not isCovered
      or pushOrigin in (select value from json_each(${JSON.stringify(origins)}))`;
}

/** Whether the batch covers a row of `registrations`, whatever its id is. */
function coveredBy(row: BatchRow): RawBuilder<0 | 1> {
  const { onlyOrigins, exceptOrigins } = batchFromRow(row);
  const ofOrigins =
    onlyOrigins === null
      ? sql`push_origin not in ${listed(exceptOrigins)}`
      : sql`push_origin in ${listed(onlyOrigins)}`;
  const ofZones =
    row.time_zones === null
      ? sql`true`
      : sql`exists (select 1 from json_each(${row.time_zones}) where value is time_zone)`;
  return sql`(push_service = ${row.push_service} and vapid_key_id = ${row.vapid_key_id}
    and ${ofOrigins} and ${ofZones})`;
}

/** The message is not sent to it again if it comes back (moved.ts). */
async function notePassed(transaction: Connection, id: number, messageId: string): Promise<void> {
  await transaction
    .updateTable("registrations")
    .set({
      passed_messages: sql`json_insert(coalesce(passed_messages, '[]'), '$[#]', ${messageId})`,
    })
    .where("id", "=", id)
    .execute();
}

type Page = { from: number; to: number; walked: ReadonlySet<number>; splits: readonly Split[] };

/**
 * A registration that the page left for later, and that has got another host of the vendor meanwhile: the batch that its old host
 * gets would not meet it, and that of the page has passed it. It is owed its turn. To be called before the splits.
 */
export async function keepOwed(
  transaction: Connection,
  row: BatchRow,
  { from, to, walked, splits }: Page,
  nowMs: number,
): Promise<void> {
  const addressee = await addressed(transaction, row.message_id);
  if (addressee === null || from >= to) return;
  const part = unwalked({ ...batchFromRow(row), cursor: from, lastId: to }, row.time_zones);
  const free = splits.filter(({ leaseUntilMs }) => leaseUntilMs === null);
  const inRange = await audience(transaction, addressee, part, to - from).execute();
  const owed = inRange.filter(({ registrationId: id, pushOrigin }) => {
    if (walked.has(id)) return false;
    // What is under way of a split that was leased at once is counted there, and at no other host.
    const sending = splits.find(({ underWay = [] }) => underWay.includes(id));
    if (sending !== undefined) return !sending.pushOrigins.includes(pushOrigin);
    return !isAhead(free, pushOrigin, id);
  });
  for (const { registrationId: id, generation, pushOrigin } of owed) {
    const place = { ...row, push_origin: pushOrigin, time_zone: null };
    const registration = { id, generation, projectId: addressee.projectId };
    await owe(transaction, registration, row, place, { dueAtMs: row.due_at_ms, nowMs });
  }
}
