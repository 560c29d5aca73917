import { draftContentSchema } from "@sineta/protocol";
import type { DraftHead, DraftStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";

/** Of `messages.idempotency_owner`: a draft's id is the key of what it was published as. */
export const ownerOfDrafts = "draft";

export function draftStore(connection: Connection): DraftStore {
  return {
    save: (draft, atMost, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const { id, projectId, revision, title, changedBy, replaces } = draft;
        const written = {
          title,
          content: JSON.stringify(draft.content),
          changed_at_ms: nowMs,
          changed_by: changedBy,
          replaces,
        };
        const messageId = await publishedAs(transaction, projectId, id);
        if (messageId !== null) return { kind: "published", messageId };
        if (revision === 0) {
          const { count } = await transaction
            .selectFrom("drafts")
            .select((of) => of.fn.countAll<number>().as("count"))
            .where("project_id", "=", projectId)
            .executeTakeFirstOrThrow();
          if (count >= atMost) {
            // One that is there already takes no room: whoever heard no answer sends it again.
            const there = await transaction
              .selectFrom("drafts")
              .select("id")
              .where("id", "=", id)
              .executeTakeFirst();
            return { kind: there === undefined ? "exhausted" : "changed" };
          }
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto("drafts")
            .values({ id, project_id: projectId, revision: 1, created_at_ms: nowMs, ...written })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst();
          if (numInsertedOrUpdatedRows === 0n) return { kind: "changed" };
          await writeAudit(transaction, audit, nowMs);
        } else {
          const { numUpdatedRows } = await transaction
            .updateTable("drafts")
            .set({ revision: revision + 1, ...written })
            .where("id", "=", id)
            .where("project_id", "=", projectId)
            .where("revision", "=", revision)
            .executeTakeFirst();
          if (numUpdatedRows === 0n) return { kind: "changed" };
        }
        const head = await heads(transaction, projectId)
          .where("drafts.id", "=", id)
          .executeTakeFirstOrThrow();
        return { kind: "saved", draft: head };
      }),

    async find(projectId, id) {
      const row = await heads(connection, projectId)
        .select("content")
        .where("drafts.id", "=", id)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { ...row, content: draftContentSchema.parse(JSON.parse(row.content)) };
    },

    publishedAs: (projectId, id) => publishedAs(connection, projectId, id),

    list: (projectId): Promise<DraftHead[]> =>
      heads(connection, projectId).orderBy("changed_at_ms", "desc").orderBy("drafts.id").execute(),

    remove: (projectId, id, audit, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        if (!(await removeDraft(transaction, projectId, id))) return false;
        await writeAudit(transaction, audit, nowMs);
        return true;
      }),

    async removeUntouched(beforeMs, limit) {
      const { numDeletedRows } = await connection
        .deleteFrom("drafts")
        .where("id", "in", (old) =>
          old
            .selectFrom("drafts")
            .select("id")
            .where("changed_at_ms", "<", beforeMs)
            .orderBy("changed_at_ms")
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** @returns whether the project had it */
export async function removeDraft(
  transaction: Connection,
  projectId: number,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom("drafts")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function publishedAs(
  connection: Connection,
  projectId: number,
  id: string,
): Promise<string | null> {
  const message = await connection
    .selectFrom("messages")
    .select("id")
    .where("project_id", "=", projectId)
    .where("idempotency_owner", "=", ownerOfDrafts)
    .where("idempotency_key", "=", id)
    .executeTakeFirst();
  return message?.id ?? null;
}

/** All of the project's drafts but what is written in them. */
function heads(connection: Connection, projectId: number) {
  return connection
    .selectFrom("drafts")
    .leftJoin("operators", "operators.id", "drafts.changed_by")
    .select([
      "drafts.id",
      "drafts.project_id as projectId",
      "drafts.revision",
      "drafts.title",
      "drafts.created_at_ms as createdAtMs",
      "drafts.changed_at_ms as changedAtMs",
      "operators.name as changedBy",
      "drafts.replaces",
    ])
    .where("drafts.project_id", "=", projectId);
}
