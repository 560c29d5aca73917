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

/** `ReasonCount`s. What an earlier version wrote has no batch: there the registration knows its push origin. */
export function exceptionsByReason(connection: Connection, messageId: string) {
  return connection
    .selectFrom("message_exceptions as exception")
    .leftJoin("batches", "batches.id", "exception.batch_id")
    .select((row) => [
      row.fn
        .coalesce(
          "batches.push_origin",
          row
            .selectFrom("registrations")
            .select("push_origin")
            .whereRef("registrations.id", "=", "exception.registration_id")
            .$asScalar()
            .$notNull(),
        )
        .as("pushOrigin"),
      "exception.kind",
      "exception.reason",
      row.fn.max<string>("exception.detail").as("detail"),
      row.fn.countAll<number>().as("count"),
    ])
    .where("exception.message_id", "=", messageId)
    .where("exception.kind", "in", ["retry", "rejected", "failed"])
    .$narrowType<{ kind: ReasonCount["kind"] }>()
    .groupBy(["pushOrigin", "exception.kind", "exception.reason"])
    .orderBy("pushOrigin")
    .orderBy("count", "desc")
    .orderBy("exception.kind")
    .orderBy("exception.reason");
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
