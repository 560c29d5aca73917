/** Who did not simply accept a message, one by one. */
import { setImmediate as othersTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { ExceptionPage, ExceptionsOptions, MessageException } from "../port.ts";
import type { Connection } from "./connection.ts";

/** Looked through at once, which takes a few milliseconds: of a million few may be what is sought. */
const sliceRows = 5_000;

/** See `MessageStore.exceptions`. */
export async function exceptionsPage(
  connection: Connection,
  messageId: string,
  { afterId, limit, kind, reason }: ExceptionsOptions,
): Promise<ExceptionPage> {
  const ids: number[] = [];
  let after = afterId;
  for (;;) {
    const slice = await sliceAfter(connection, messageId, after, sliceRows).execute();
    for (const row of slice) {
      // It is here because the registration moved, and was accepted.
      if (row.kind === "accepted") continue;
      if (kind !== undefined && row.kind !== kind) continue;
      if (reason !== undefined && row.reason !== reason) continue;
      ids.push(row.id);
      // One more tells whether there are more.
      if (ids.length > limit) break;
    }
    if (ids.length > limit || slice.length < sliceRows) break;
    after = slice.at(-1)?.id ?? after;
    await othersTurn();
  }
  const shown = ids.slice(0, limit);
  const exceptions = await exceptionsOf(connection, messageId, shown).execute();
  return {
    exceptions: exceptions.filter((each): each is MessageException => each.kind !== "accepted"),
    nextAfterId: ids.length > limit ? (shown.at(-1) ?? null) : null,
  };
}

export function sliceAfter(
  connection: Connection,
  messageId: string,
  afterId: number,
  limit: number,
) {
  return connection
    .selectFrom("message_exceptions")
    .select(["registration_id as id", "kind", "reason"])
    .where("message_id", "=", messageId)
    .where("registration_id", ">", afterId)
    .orderBy("registration_id")
    .limit(limit);
}

/** What an earlier version wrote has no batch: there the registration knows its push origin. */
export function exceptionsOf(connection: Connection, messageId: string, ids: readonly number[]) {
  return connection
    .selectFrom("message_exceptions as exception")
    .innerJoin("registrations", "registrations.id", "exception.registration_id")
    .leftJoin("batches", "batches.id", "exception.batch_id")
    .select((row) => [
      "registrations.token",
      row.fn.coalesce("batches.push_origin", "registrations.push_origin").as("pushOrigin"),
      "exception.kind",
      "exception.reason",
      "exception.detail",
      "exception.attempts",
      "exception.due_at_ms as dueAtMs",
      "exception.changed_at_ms as changedAtMs",
    ])
    .where("exception.message_id", "=", messageId)
    .where(
      "exception.registration_id",
      "in",
      sql<number>`(select value from json_each(${JSON.stringify(ids)}))`,
    )
    .orderBy("exception.registration_id");
}
