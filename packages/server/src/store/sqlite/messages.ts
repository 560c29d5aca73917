import { sql, type Selectable } from "kysely";
import { keptNotificationSchema, messageDataSchema, keptTargetSchema } from "@sineta/protocol";
import {
  MessageUnreadable,
  type Actor,
  type EarlierPublication,
  type Idempotency,
  type Message,
  type MessageStore,
  type NewMessage,
  type PublishedMessage,
  type PublishResult,
} from "../port.ts";
import { isGood } from "./api-keys.ts";
import { writeAudit } from "./audit.ts";
import { cancelMessage, failIdle } from "./cancel.ts";
import { compileOnce } from "./compile-once.ts";
import type { Connection } from "./connection.ts";
import { doerFrom, doerOf, nameOfDoer, ownerOf } from "./doers.ts";
import { ownerOfDrafts, removeDraft } from "./drafts.ts";
import { exceptionsPage } from "./exceptions.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { hoursOf } from "./message-hours.ts";
import { listedIds } from "./message-list.ts";
import { breakersHolding, countByState, exceptionsByReason, progressOf } from "./progress.ts";
import { untilNextMessage } from "./quotas.ts";
import { indexMessage } from "./search-index.ts";
import type { Tables } from "./tables.ts";

/** As the columns have it. */
type Owned = { owner: string; key: string; requestHash: Uint8Array };

export function messageStore(
  connection: Connection,
  grouped: GroupedWrite,
  reading: Connection,
): MessageStore {
  return {
    publish: (message, nowMs, idempotency, audit) =>
      grouped(async (transaction) => {
        const publisher = audit?.actor;
        if (publisher?.kind === "api-key" && publisher.id !== undefined) {
          // Looked at here, since it may have been revoked, with its messages cancelled, while the request came in.
          if (!(await isGood(transaction, publisher.id, nowMs))) return { kind: "key-ended" };
        }
        const once = idempotency && (await owned(transaction, idempotency, publisher));
        const result = await publish(transaction, { ...message, publisher }, nowMs, once);
        if (result.kind === "published" && message.replaces !== null && audit !== undefined) {
          const change = { replacedBy: message.id };
          const entry = {
            ...audit,
            action: "message.cancelled",
            subject: message.replaces,
            change,
          };
          await writeAudit(transaction, entry, nowMs);
        }
        if (result.kind === "published" && once?.owner === ownerOfDrafts) {
          await removeDraft(transaction, message.projectId, once.key);
        }
        if (result.kind === "published" && audit !== undefined) {
          await writeAudit(transaction, audit, nowMs);
        }
        return result;
      }),

    async findPublished(projectId, idempotency, publisher) {
      return published(connection, projectId, await owned(connection, idempotency, publisher));
    },

    async find(projectId, id) {
      const { rows } = await findMessage(connection, { projectId, id });
      return rows[0] === undefined ? null : publishedFromRow(rows[0]);
    },

    async list(projectId, limit, beforeId, filter = {}) {
      const found: PublishedMessage[] = [];
      let before = beforeId;
      // Unreadable ones leave room, which those before them take: a short list means that there are no more.
      while (found.length < limit) {
        const wanted = limit - found.length;
        const page = { beforeId: before, limit: wanted, filter };
        const ids = await listedIds(reading, projectId, page);
        const rows = await rowsOf(reading, ids).execute();
        const byId = new Map(rows.map((row) => [row.id, row]));
        found.push(...ids.flatMap((id) => messageIfReadable(byId.get(id))));
        if (ids.length < wanted) break;
        before = ids.at(-1);
      }
      return found;
    },

    async cancel(projectId, id, nowMs, audit) {
      const cancelled = await grouped(async (transaction) => {
        const done = await cancelMessage(transaction, { id, projectId }, nowMs);
        if (done && audit !== undefined) await writeAudit(transaction, audit, nowMs);
        return done;
      });
      // In transactions of their own, so that others have their turn between them.
      const goOn = () => grouped((transaction) => failIdle(transaction, id, nowMs));
      if (cancelled) while (!(await goOn()));
      return cancelled;
    },

    progress: (id) => progressOf(reading, id),
    reasons: async (id) => (await exceptionsByReason(id).execute(reading)).rows,
    exceptions: (id, options) => exceptionsPage(reading, id, options),
    hours: (id) => hoursOf(reading, id).execute(),
    heldBy: (id) => breakersHolding(reading, id).execute(),
    countByState: () => countByState(reading),
  };
}

async function publish(
  transaction: Connection,
  message: NewMessage & { publisher: Actor | undefined },
  nowMs: number,
  idempotency: Owned | undefined,
): Promise<PublishResult> {
  if (idempotency !== undefined) {
    const earlier = await published(transaction, message.projectId, idempotency);
    if (earlier !== null) return earlier;
  }
  const retryAfterMs = await untilNextMessage(transaction, message.projectId, nowMs);
  if (retryAfterMs !== null) return { kind: "quota-reached", retryAfterMs };
  if (message.replaces !== null && !(await cancelReplaced(transaction, message, nowMs))) {
    return { kind: "not-replaced" };
  }
  const publisher = doerOf(message.publisher, ["api-key", "operator", "command-line"]);
  await transaction
    .insertInto("messages")
    .values({
      id: message.id,
      project_id: message.projectId,
      target: JSON.stringify(message.target),
      notification: JSON.stringify(message.notification),
      data: message.data === null ? null : JSON.stringify(message.data),
      ttl_seconds: message.ttlSeconds,
      urgency: message.urgency,
      collapse_key: message.collapseKey,
      idempotency_key: idempotency?.key ?? null,
      idempotency_owner: idempotency?.owner ?? null,
      request_hash: idempotency?.requestHash ?? null,
      state: "scheduled",
      with_receipts: sql<number>`(select receipts from projects where id = ${message.projectId})`,
      scheduled_at_ms: message.scheduledAtMs,
      local_time: message.localTime,
      created_at_ms: nowMs,
      started_at_ms: null,
      ended_at_ms: null,
      watermark: null,
      planned_at_ms: null,
      publisher_kind: publisher.kind,
      publisher_id: publisher.id,
      replaces: message.replaces,
    })
    .execute();
  await indexMessage(transaction, message.id, message.notification);
  return { kind: "published" };
}

/** scheduled -> cancelled. @returns whether the message that is to be replaced was scheduled still */
async function cancelReplaced(
  transaction: Connection,
  { id, projectId, replaces }: Pick<NewMessage, "id" | "projectId" | "replaces">,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("messages")
    .set({ state: "cancelled", ended_at_ms: nowMs })
    .where("id", "=", replaces)
    .where("project_id", "=", projectId)
    .where("state", "=", sql.lit("scheduled"))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await sql`insert into doubtful_messages (message_id, due_at_ms)
    select ${id}, due_at_ms from doubtful_messages where message_id = ${replaces}`.execute(
    transaction,
  );
  return true;
}

/** What this key has published before; null if that is nothing. */
async function owned(
  connection: Connection,
  idempotency: Idempotency,
  publisher: Actor | undefined,
): Promise<Owned> {
  const { requestHash } = idempotency;
  return "draftId" in idempotency
    ? { owner: ownerOfDrafts, key: idempotency.draftId, requestHash }
    : { owner: await ownerOf(connection, publisher), key: idempotency.key, requestHash };
}

async function published(
  connection: Connection,
  projectId: number,
  { owner, key, requestHash }: Owned,
): Promise<EarlierPublication | null> {
  const earlier = await connection
    .selectFrom("messages")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("idempotency_owner", "=", owner)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  if (earlier === undefined) return null;
  const same =
    earlier.request_hash !== null && Buffer.compare(earlier.request_hash, requestHash) === 0;
  return same
    ? { kind: "repeated", message: messageFromRow(earlier) }
    : { kind: "key-reused", messageId: earlier.id };
}

export function rowsOf(connection: Connection, ids: readonly string[]) {
  return connection
    .selectFrom("messages")
    .selectAll()
    .select([publisherName, replacedBy])
    .where("id", "in", sql<string>`(select value from json_each(${JSON.stringify(ids)}))`);
}

type MessageRow = Selectable<Tables["messages"]>;

/** @throws MessageUnreadable if this version cannot read what another one, or a fault, has left there */
export function messageFromRow(row: MessageRow): Message {
  return { ...saidBy(row), ...whatBecameOf(row) };
}

const publisherName = nameOfDoer("messages.publisher_kind", "messages.publisher_id").as(
  "publisher_name",
);

const replacedBy = sql<string | null>`
  (select successor.id from messages as successor where successor.replaces = messages.id)`.as(
  "replaced_by",
);

const findMessage = compileOnce(
  (connection, { projectId, id }: { projectId: number; id: string }) =>
    connection
      .selectFrom("messages")
      .selectAll()
      .select([publisherName, replacedBy])
      .where("id", "=", id)
      .where("project_id", "=", projectId),
);

type PublishedRow = MessageRow & { publisher_name: string | null; replaced_by: string | null };

function publishedFromRow(row: PublishedRow): PublishedMessage {
  return {
    ...messageFromRow(row),
    publisher: doerFrom(row.publisher_kind, row.publisher_name),
    replacedBy: row.replaced_by,
  };
}

function messageIfReadable(row: PublishedRow | undefined): PublishedMessage[] {
  if (row === undefined) return [];
  try {
    return [publishedFromRow(row)];
  } catch (error) {
    if (error instanceof MessageUnreadable) return [];
    throw error;
  }
}

function saidBy(row: MessageRow) {
  try {
    return {
      target: keptTargetSchema.parse(JSON.parse(row.target)),
      notification: keptNotificationSchema.parse(JSON.parse(row.notification)),
      data: row.data === null ? null : messageDataSchema.parse(JSON.parse(row.data)),
    };
  } catch (error) {
    throw new MessageUnreadable(row.id, error);
  }
}

function whatBecameOf(row: MessageRow): Omit<Message, keyof ReturnType<typeof saidBy>> {
  return {
    id: row.id,
    projectId: row.project_id,
    ttlSeconds: row.ttl_seconds,
    urgency: row.urgency,
    collapseKey: row.collapse_key,
    scheduledAtMs: row.scheduled_at_ms,
    localTime: row.local_time,
    replaces: row.replaces,
    state: row.state,
    withReceipts: row.with_receipts === 1,
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
    watermark: row.watermark,
    plannedTo: row.cursor,
    plannedCount: row.planned_count,
    counts: {
      accepted: row.accepted,
      gone: row.gone,
      retry: row.retry,
      rejected: row.rejected,
      failed: row.failed,
    },
    receipts: { displayed: row.displayed, clicked: row.clicked, closed: row.closed },
  };
}
