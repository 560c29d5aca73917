import type { Selectable } from "kysely";
import { z } from "zod";
import { notificationSchema } from "@sineta/protocol";
import type { Message, MessageStore } from "../port.ts";
import type { Connection } from "./connection.ts";
import type { Tables } from "./tables.ts";

export function messageStore(connection: Connection): MessageStore {
  return {
    async publish(message, nowMs) {
      await connection
        .insertInto("messages")
        .values({
          id: message.id,
          project_id: message.projectId,
          target: JSON.stringify(message.target),
          notification: JSON.stringify(message.notification),
          ttl_seconds: message.ttlSeconds,
          urgency: message.urgency,
          collapse_key: null,
          idempotency_key: null,
          state: "scheduled",
          scheduled_at_ms: message.scheduledAtMs,
          created_at_ms: nowMs,
          started_at_ms: null,
          ended_at_ms: null,
          watermark: null,
        })
        .execute();
    },

    async find(projectId, id) {
      const row = await connection
        .selectFrom("messages")
        .selectAll()
        .where("id", "=", id)
        .where("project_id", "=", projectId)
        .executeTakeFirst();
      return row === undefined ? null : messageFromRow(row);
    },

    async list(projectId, limit) {
      const rows = await connection
        .selectFrom("messages")
        .selectAll()
        .where("project_id", "=", projectId)
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(messageFromRow);
    },
  };
}

const targetSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("token"), token: z.string() }),
  z.object({ kind: z.literal("topic"), topic: z.string() }),
  z.object({ kind: z.literal("user"), userId: z.string() }),
]);

export function messageFromRow(row: Selectable<Tables["messages"]>): Message {
  return {
    id: row.id,
    projectId: row.project_id,
    target: targetSchema.parse(JSON.parse(row.target)),
    notification: notificationSchema.parse(JSON.parse(row.notification)),
    ttlSeconds: row.ttl_seconds,
    urgency: row.urgency,
    scheduledAtMs: row.scheduled_at_ms,
    state: row.state,
    watermark: row.watermark,
    cursor: row.cursor,
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
