import { sql } from "kysely";
import type { ReceiptStore } from "../port.ts";
import type { Connection } from "./connection.ts";
import type { GroupedWrite } from "./grouped-writes.ts";
import { countInHour } from "./message-hours.ts";

export function receiptStore(grouped: GroupedWrite, reading: Connection): ReceiptStore {
  return {
    add: ({ projectId, messageId, token, event, action }, nowMs) =>
      grouped(async (transaction) => {
        const registration = await transaction
          .selectFrom("registrations")
          .innerJoin("messages", "messages.project_id", "registrations.project_id")
          .innerJoin("projects", "projects.id", "registrations.project_id")
          .select(["registrations.id", "projects.receipts as wanted"])
          .where("registrations.token", "=", token)
          .where("registrations.project_id", "=", projectId)
          .where("messages.id", "=", messageId)
          .executeTakeFirst();
        if (registration === undefined) return false;
        if (registration.wanted === 0) return true;
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("receipts")
          .values({
            message_id: messageId,
            registration_id: registration.id,
            kind: event,
            received_at_ms: nowMs,
            action,
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 1n) {
          await transaction
            .updateTable("messages")
            .set((row) => ({ [event]: row(event, "+", 1) }))
            .where("id", "=", messageId)
            .execute();
          await countInHour(transaction, messageId, [event, 1], nowMs);
        }
        return true;
      }),

    async clicksByAction(messageId) {
      const rows = await clicksOf(reading, messageId).execute();
      return new Map(rows.map(({ action, count }) => [action, count]));
    },
  };
}

export function clicksOf(connection: Connection, messageId: string) {
  return connection
    .selectFrom("receipts")
    .select((row) => ["action", row.fn.countAll<number>().as("count")])
    .where("message_id", "=", messageId)
    .where("kind", "=", sql.lit("clicked"))
    .where("action", "is not", null)
    .groupBy("action")
    .$narrowType<{ action: string }>();
}
