/** What has become of one message, or of all of them: read, never written here. */
import { sql } from "kysely";
import type { MessageState, ServiceProgress, ReasonCount } from "../port.ts";
import { breakersFrom } from "./breakers.ts";
import type { Connection } from "./connection.ts";

export async function progressOf(
  connection: Connection,
  messageId: string,
): Promise<ServiceProgress[]> {
  const rows = await figuresByService(connection, messageId).execute();
  return rows.map(({ pushService, planned, ...counts }) => ({ pushService, planned, counts }));
}

export async function countByState(
  connection: Connection,
): Promise<Partial<Record<MessageState, number>>> {
  const rows = await messagesByState(connection).execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

export function figuresByService(connection: Connection, messageId: string) {
  return connection
    .selectFrom("message_services")
    .select([
      "push_service as pushService",
      "planned",
      "accepted",
      "gone",
      "retry",
      "rejected",
      "failed",
    ])
    .where("message_id", "=", messageId)
    .orderBy("push_service");
}

/** As triggers have counted them (migrations 0011 and 0014). */
export function exceptionsByReason(messageId: string) {
  return sql<ReasonCount>`
    select push_origin as pushOrigin, kind, reason, max(detail) as detail, sum(registrations) as count
    from exception_counts where message_id = ${messageId}
    group by push_origin, kind, reason
    order by push_origin, count desc, kind, reason`;
}

/** Open breakers that an open batch of the message waits for. */
export function breakersHolding(connection: Connection, messageId: string) {
  return breakersFrom(connection).where((breaker) =>
    breaker.exists(
      breaker
        .selectFrom("batches")
        .select("batches.id")
        .where("batches.message_id", "=", messageId)
        .where("batches.state", "=", sql.lit("open"))
        .where("batches.held", "=", sql.lit(1))
        .whereRef("batches.push_origin", "=", "breakers.push_origin")
        .whereRef("batches.vapid_key_id", "=", "breakers.vapid_key_id"),
    ),
  );
}

export function messagesByState(connection: Connection) {
  return connection
    .selectFrom("messages")
    .select((row) => ["state", row.fn.countAll<number>().as("count")])
    .groupBy("state");
}
