/** What has become of one message, or of all of them: read, never written here. */
import { sql } from "kysely";
import type { MessageState, OriginProgress, ReasonCount } from "../port.ts";
import { breakersFrom } from "./breakers.ts";
import type { Connection } from "./connection.ts";

export async function progressOf(
  connection: Connection,
  messageId: string,
): Promise<OriginProgress[]> {
  const rows = await batchesByOrigin(connection, messageId).execute();
  return rows.map(({ pushOrigin, planned, ...counts }) => ({ pushOrigin, planned, counts }));
}

export async function countByState(
  connection: Connection,
): Promise<Partial<Record<MessageState, number>>> {
  const rows = await messagesByState(connection).execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** The message's batches, added up. */
export function batchesByOrigin(connection: Connection, messageId: string) {
  return connection
    .selectFrom("batches")
    .select((row) => [
      "push_origin as pushOrigin",
      row.fn.sum<number>("planned").as("planned"),
      row.fn.sum<number>("accepted").as("accepted"),
      row.fn.sum<number>("gone").as("gone"),
      row.fn.sum<number>("retry").as("retry"),
      row.fn.sum<number>("rejected").as("rejected"),
      row.fn.sum<number>("failed").as("failed"),
    ])
    .where("message_id", "=", messageId)
    .groupBy("push_origin")
    .orderBy("push_origin");
}

/**
 * What triggers have counted (0011). What an earlier version wrote has no batch, and is in none of these counts: there
 * the registration knows its push origin.
 */
export function exceptionsByReason(messageId: string) {
  return sql<ReasonCount>`
    select pushOrigin, kind, reason, max(detail) as detail, sum(registrations) as count
    from (
      select push_origin as pushOrigin, kind, reason, detail, registrations
      from exception_counts where message_id = ${messageId}
      union all
      select push_origin, kind, reason, detail, 1
      from message_exceptions indexed by exceptions_without_batch
        join registrations on registrations.id = registration_id
      where message_id = ${messageId} and batch_id is null and kind in ('rejected', 'failed')
    )
    group by pushOrigin, kind, reason
    order by pushOrigin, count desc, kind, reason`;
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
