import { sql, type AliasedRawBuilder } from "kysely";
import { limits } from "@sineta/protocol";
import type { TopicStore } from "../port.ts";
import { ownDisplayName } from "../own-display-name.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { valuesOf } from "./memberships.ts";

/** What people read as the topic's name. */
export const readName: AliasedRawBuilder<string, "displayName"> =
  sql<string>`coalesce(nullif(topics.display_name, ''), topics.name)`.as("displayName");

export function topicStore(connection: Connection): TopicStore {
  return {
    changeMany: ({ projectId, topicId }, change, tokens, nowMs) =>
      connection.transaction().execute(async (transaction) => {
        const known = await transaction
          .selectFrom("registrations")
          .select(["id", "token"])
          .where("token", "in", valuesOf<string>(tokens))
          .where("project_id", "=", projectId)
          .where((row) => row.or([row("end_reason", "is", null), row("end_reason", "=", "gone")]))
          .execute();
        const ids = known.map(({ id }) => id);
        const changed =
          change === "join"
            ? await addMembers(transaction, topicId, ids, nowMs)
            : await removeMembers(transaction, topicId, ids);
        const found = new Set(known.map(({ token }) => token));
        const unknown = [...new Set(tokens)].filter((token) => !found.has(token));
        return { changed, unknown };
      }),

    list: (projectId) => topicsWithCounts(connection, projectId).execute(),

    async find(projectId, name) {
      const topic = await connection
        .selectFrom("topics")
        .select(["id", "name", "policy"])
        .where("project_id", "=", projectId)
        .where("name", "=", name)
        .executeTakeFirst();
      return topic ?? null;
    },

    add: (projectId, topic, nowMs, audit) =>
      connection.transaction().execute(async (transaction) => {
        const { count, named } = await transaction
          .selectFrom("topics")
          .select((row) => [
            row.fn.countAll<number>().as("count"),
            row.fn.countAll<number>().filterWhere("name", "=", topic.name).as("named"),
          ])
          .where("project_id", "=", projectId)
          .executeTakeFirstOrThrow();
        if (named > 0) return "exists";
        if (count >= limits.topicsPerProject) return "full";
        await transaction
          .insertInto("topics")
          .values({
            project_id: projectId,
            name: topic.name,
            policy: topic.policy,
            display_name: ownDisplayName(topic.name, topic.displayName),
            created_at_ms: nowMs,
          })
          .execute();
        if (audit !== undefined) await writeAudit(transaction, audit, nowMs);
        return "added";
      }),

    edit: (projectId, name, { policy, displayName }, audit) =>
      connection.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom("topics")
          .select(["id", "name", "policy", "display_name"])
          .where("project_id", "=", projectId)
          .where("name", "=", name)
          .executeTakeFirst();
        if (found === undefined) return null;
        const now = {
          policy: policy ?? found.policy,
          display_name:
            displayName === undefined ? found.display_name : ownDisplayName(name, displayName),
        };
        const change = {
          ...(now.policy === found.policy ? {} : { policy: now.policy }),
          ...(now.display_name === found.display_name ? {} : { displayName: now.display_name }),
        };
        if (Object.keys(change).length > 0) {
          await transaction.updateTable("topics").set(now).where("id", "=", found.id).execute();
          if (audit !== undefined) {
            await writeAudit(transaction, { ...audit.entry, change }, audit.nowMs);
          }
        }
        const shown = now.display_name === "" ? name : now.display_name;
        return { id: found.id, name, policy: now.policy, displayName: shown };
      }),

    async empty(topicId, limit) {
      const { numDeletedRows } = await connection
        .deleteFrom("registration_topics")
        .where("topic_id", "=", topicId)
        .where("registration_id", "in", (members) =>
          members
            .selectFrom("registration_topics")
            .select("registration_id")
            .where("topic_id", "=", topicId)
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    remove: (topicId, audit) =>
      connection.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("registration_topics")
          .where("topic_id", "=", topicId)
          .execute();
        const { numDeletedRows } = await transaction
          .deleteFrom("topics")
          .where("id", "=", topicId)
          .executeTakeFirst();
        if (numDeletedRows !== 1n) return false;
        if (audit !== undefined) await writeAudit(transaction, audit.entry, audit.nowMs);
        return true;
      }),
  };
}

/** Tells how many were not in it before. */
async function addMembers(
  transaction: Connection,
  topicId: number,
  ids: readonly number[],
  nowMs: number,
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("registration_topics")
    .columns(["topic_id", "registration_id", "joined_at_ms"])
    .expression((from) =>
      from
        .selectFrom("registrations")
        .select([sql.val(topicId).as("topic_id"), "id", sql.val(nowMs).as("joined_at_ms")])
        .where("id", "in", valuesOf<number>(ids)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows);
}

/** Tells how many were in it. */
async function removeMembers(
  transaction: Connection,
  topicId: number,
  ids: readonly number[],
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom("registration_topics")
    .where("topic_id", "=", topicId)
    .where("registration_id", "in", valuesOf<number>(ids))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export function topicsWithCounts(connection: Connection, projectId: number) {
  return connection
    .selectFrom("topics")
    .select(["id", "name", "policy", readName, "live_registrations as liveCount"])
    .where("project_id", "=", projectId)
    .orderBy("name");
}
