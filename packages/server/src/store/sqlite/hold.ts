import { sql, type RawBuilder } from "kysely";
import type {
  Asker,
  DeliveryHold,
  HeldMessage,
  HeldMessageFate,
  HeldMessages,
  HoldStore,
  ResumeOptions,
} from "../port.ts";
import { writeAudit } from "./audit.ts";
import { cancelBatches, failIdle } from "./cancel.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { shortestWalkMs } from "./plan.ts";

/** So many messages one transaction cancels. */
const mostCancelled = 50;

/** Between the first and the last time zone. */
const allZonesMs = 26 * 60 * 60 * 1000;

const fates: readonly HeldMessageFate[] = ["cancel", "now", "expire", "later"];

export function holdStore(
  connection: Connection,
  write: GroupedWrite,
  reading: Connection,
): HoldStore {
  return {
    find: () => findHold(connection),

    begin: (hold, asker) =>
      write(async (transaction) => {
        const there = await findHold(transaction);
        // The original may have taken in messages under that hold, and may send them.
        const isCopy = hold.reason === "cloned";
        if (there !== null && !isCopy) return { begun: false, hold: there };
        await putHold(transaction, hold, asker);
        return { begun: true, hold };
      }),

    async settleHome(bornNs, nowMs) {
      // Most calls change nothing, and need not wait for another process that writes.
      if ((await findHome(connection))?.born_ns === bornNs) return null;
      return write((transaction) => settleHome(transaction, bornNs, nowMs));
    },

    list: (options) => listHeld(reading, options),

    async resume(hold, options, asker, nowMs) {
      let cancelled = 0;
      for (;;) {
        const portion = await write((transaction) =>
          resumePortion(transaction, { hold, options, asker, cancelled }, nowMs),
        );
        if (portion === null) return null;
        if (portion.length === 0) return { cancelled };
        cancelled += portion.length;
        for (const id of portion) {
          const goOn = () => write((transaction) => failIdle(transaction, id, nowMs));
          while (!(await goOn()));
        }
      }
    },
  };
}

/** Has not ended. */
const isOpen = sql<boolean>`state in ('scheduled', 'sending', 'paused')`;

const readHold = compileOnce((connection) =>
  connection.selectFrom("delivery_hold").select(["reason", "since_ms as sinceMs"]),
);

async function findHold(connection: Connection): Promise<DeliveryHold | null> {
  const { rows } = await readHold(connection, {});
  return rows[0] ?? null;
}

async function doubtOpenMessages(transaction: Connection): Promise<void> {
  await sql`insert into doubtful_messages (message_id, due_at_ms)
    select id, scheduled_at_ms from messages indexed by messages_by_state where ${isOpen}
    on conflict do update set due_at_ms = min(due_at_ms, excluded.due_at_ms)`.execute(transaction);
}

/** In the place of the one that is there. */
async function putHold(
  transaction: Connection,
  { reason, sinceMs }: DeliveryHold,
  asker: Asker,
): Promise<void> {
  await transaction.deleteFrom("delivery_hold").execute();
  await transaction.insertInto("delivery_hold").values({ reason, since_ms: sinceMs }).execute();
  if (reason !== "asked") await doubtOpenMessages(transaction);
  const change = { reason };
  const entry = { ...asker, projectId: null, action: "delivery.held", subject: "", change };
  await writeAudit(transaction, entry, sinceMs);
}

function findHome(connection: Connection) {
  return connection.selectFrom("database_home").select("born_ns").executeTakeFirst();
}

async function settleHome(
  transaction: Connection,
  bornNs: string,
  nowMs: number,
): Promise<DeliveryHold | null> {
  const last = await findHome(transaction);
  if (last?.born_ns === bornNs) return null;
  await transaction.deleteFrom("database_home").execute();
  const row = { one: 1, born_ns: bornNs };
  await transaction.insertInto("database_home").values(row).execute();
  if (last === undefined) return null;
  const hold: DeliveryHold = { reason: "cloned", sinceMs: nowMs };
  await putHold(transaction, hold, { actor: { kind: "server", name: "" }, address: null });
  return hold;
}

/** Another server may have sent it, or the message that it replaces, when the operator looked. */
function isCancelled({ asOfMs, sendDue, send }: ResumeOptions): RawBuilder<boolean> {
  if (sendDue) return sql<boolean>`false`;
  return sql<boolean>`(id in (select message_id from doubtful_messages where due_at_ms <= ${asOfMs})
    and id not in (select value from json_each(${JSON.stringify(send)})))`;
}

async function listHeld(
  connection: Connection,
  { projectId, limit, ...options }: Parameters<HoldStore["list"]>[0],
): Promise<HeldMessages> {
  const { asOfMs } = options;
  const lastDueMs = sql`max(scheduled_at_ms + iif(local_time is null, 0, ${allZonesMs}), created_at_ms)`;
  const expiresAtMs = sql`${lastDueMs} + max(ttl_seconds * 1000, ${shortestWalkMs})`;
  const open = sql`
    select id, notification, state, created_at_ms, scheduled_at_ms, local_time, ${expiresAtMs} as expires_at_ms,
      case
        when ${isCancelled(options)} then 'cancel'
        when scheduled_at_ms > ${asOfMs} then 'later'
        when ${expiresAtMs} <= ${asOfMs} then 'expire'
        else 'now'
      end as fate
    from messages indexed by messages_by_state
    where ${isOpen} and ${projectId === null ? sql`true` : sql`project_id = ${projectId}`}`;
  const { rows: counted } = await sql<{ fate: HeldMessageFate; count: number }>`
    select fate, count(*) as count from (${open}) group by fate`.execute(connection);
  // A notification that is no JSON is unreadable to the delivery, too; the list has it nevertheless.
  const { rows } = await sql<Omit<HeldMessage, "doubtful"> & { doubtful: 0 | 1 }>`
    select id, state, created_at_ms as createdAtMs, scheduled_at_ms as dueAtMs, local_time as localTime,
      expires_at_ms as expiresAtMs, fate,
      iif(json_valid(notification), coalesce(json_extract(notification, '$.title'), ''), '') as title,
      id in (select message_id from doubtful_messages) as doubtful,
      (select sum(max(planned - settled, 0)) from batches where message_id = listed.id and batches.state = 'open')
        as registrations
    from (
      select *, row_number() over (partition by fate order by scheduled_at_ms, id) as place from (${open})
    ) as listed
    where place <= ${limit}
    order by scheduled_at_ms, id`.execute(connection);
  const counts = { cancel: 0, now: 0, expire: 0, later: 0 };
  for (const { fate, count } of counted) counts[fate] = count;
  const messages = fates.flatMap((fate) => rows.filter((row) => row.fate === fate));
  return {
    counts,
    messages: messages.map((row) => Object.assign(row, { doubtful: row.doubtful === 1 })),
  };
}

type Resume = {
  hold: DeliveryHold;
  options: ResumeOptions;
  asker: Asker;
  /** By the portions before. */
  cancelled: number;
};

/** @returns ids of messages it cancelled; none, if there are none left and the hold has ended; null without this hold */
async function resumePortion(
  transaction: Connection,
  { hold, options, asker, cancelled }: Resume,
  nowMs: number,
): Promise<string[] | null> {
  const there = await findHold(transaction);
  if (there?.reason !== hold.reason || there.sinceMs !== hold.sinceMs) return null;
  const ids = await cancelDoubtful(transaction, options, nowMs);
  if (ids.length > 0) {
    const { actor, address } = asker;
    await sql`insert into audit (at_ms, project_id, actor_kind, actor, action, subject, address)
      select ${nowMs}, project_id, ${actor.kind}, ${actor.name}, 'message.cancelled', id, ${address}
      from messages where id in (select value from json_each(${JSON.stringify(ids)}))`.execute(
      transaction,
    );
    return ids;
  }
  await transaction.deleteFrom("delivery_hold").execute();
  await transaction.deleteFrom("doubtful_messages").execute();
  const since = new Date(hold.sinceMs).toISOString();
  const change = { reason: hold.reason, since, cancelled, sendDue: options.sendDue };
  const entry = { ...asker, projectId: null, action: "delivery.resumed", subject: "", change };
  await writeAudit(transaction, entry, nowMs);
  return [];
}

async function cancelDoubtful(
  transaction: Connection,
  options: ResumeOptions,
  nowMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update messages set state = 'cancelled', ended_at_ms = ${nowMs}
    where id in (
      select id from messages indexed by messages_by_state
      where ${isOpen} and ${isCancelled(options)}
      limit ${mostCancelled}
    )
    returning id`.execute(transaction);
  const ids = rows.map(({ id }) => id);
  await cancelBatches(transaction, ids);
  return ids;
}
