/** One registration, with all that is known to have happened to it. */
import { sql } from "kysely";
import type { AudienceStore } from "../port.ts";
import { writeAudit } from "./audit.ts";
import type { Connection } from "./connection.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { lossOf } from "./losses.ts";
import { listed, listedColumns } from "./registration-list.ts";
import { endAsLeft } from "./registrations.ts";
import { readName } from "./topics.ts";

/** Of a message that this version cannot read, too. */
const title = sql<string>`coalesce(json_extract(messages.notification, '$.title'), '')`;

export const registrationStory =
  (connection: Connection): AudienceStore["story"] =>
  async (projectId, token, limit) => {
    const row = await connection
      .selectFrom("registrations")
      .select([
        ...listedColumns,
        "locale",
        "time_zone",
        "generation",
        "renewed_at_ms",
        "refused_at_ms",
      ])
      .where("token", "=", token)
      .where("project_id", "=", projectId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const loss = await lossOf(connection, row.id).executeTakeFirst();
    const topics = await connection
      .selectFrom("registration_topics")
      .innerJoin("topics", "topics.id", "registration_topics.topic_id")
      .select([
        "topics.name",
        "topics.policy",
        readName,
        "registration_topics.joined_at_ms as joinedAtMs",
      ])
      .where("registration_topics.registration_id", "=", row.id)
      .orderBy("topics.name")
      .execute();
    return {
      ...listed(row),
      locale: row.locale,
      timeZone: row.time_zone,
      generation: row.generation,
      renewedAtMs: row.renewed_at_ms,
      loss: loss ?? null,
      refusedAtMs: row.refused_at_ms,
      topics,
      exceptions: await exceptionsOf(connection, row.id, limit).execute(),
      receipts: await receiptsOf(connection, row.id, limit).execute(),
    };
  };

/** Reads all of the registration's own. */
export function exceptionsOf(connection: Connection, id: number, limit: number) {
  return connection
    .selectFrom("message_exceptions")
    .innerJoin("messages", "messages.id", "message_exceptions.message_id")
    .select([
      "message_exceptions.message_id as messageId",
      title.as("title"),
      "message_exceptions.kind as outcome",
      "message_exceptions.reason",
      "message_exceptions.detail",
      "message_exceptions.attempts",
      "message_exceptions.changed_at_ms as atMs",
    ])
    .where("message_exceptions.registration_id", "=", id)
    .orderBy("message_exceptions.changed_at_ms", "desc")
    .limit(limit);
}

/** Reads all of the registration's own. */
export function receiptsOf(connection: Connection, id: number, limit: number) {
  return connection
    .selectFrom("receipts")
    .innerJoin("messages", "messages.id", "receipts.message_id")
    .select([
      "receipts.message_id as messageId",
      title.as("title"),
      "receipts.kind as event",
      "receipts.action",
      "receipts.received_at_ms as atMs",
    ])
    .where("receipts.registration_id", "=", id)
    .orderBy("receipts.received_at_ms", "desc")
    .limit(limit);
}

export const removeRegistration =
  (grouped: GroupedWrite): AudienceStore["remove"] =>
  (projectId, token, audit, nowMs) =>
    grouped(async (transaction) => {
      const found = await transaction
        .selectFrom("registrations")
        .select("id")
        .where("token", "=", token)
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      if (found === undefined) return false;
      const ended = await endAsLeft(transaction, found.id, { byOperator: true }, nowMs);
      if (ended) await writeAudit(transaction, audit, nowMs);
      return ended;
    });
