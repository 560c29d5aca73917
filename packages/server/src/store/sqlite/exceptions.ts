/** Who did not simply accept a message, one by one. */
import { sql } from "kysely";
import type { ExceptionPage, ExceptionsOptions, MessageException } from "../port.ts";
import type { Connection } from "./connection.ts";

/** Looked through by one read, which takes a few milliseconds: of a million few may be what is sought. */
const sliceRows = 5_000;

/** See `MessageStore.exceptions`. */
export async function exceptionsPage(
  connection: Connection,
  messageId: string,
  { afterId, limit, kind, reason }: ExceptionsOptions,
): Promise<ExceptionPage> {
  const ids: number[] = [];
  // One more tells whether there are more.
  const wanted = limit + 1;
  for (let after: number | null = afterId; after !== null && ids.length < wanted;) {
    const end = await endOfSlice(connection, messageId, after, sliceRows).executeTakeFirst();
    const slice = { afterId: after, lastId: end?.id ?? Number.MAX_SAFE_INTEGER };
    const sought = { kind, reason, limit: wanted - ids.length };
    const found = await idsInSlice(connection, messageId, slice, sought).execute();
    ids.push(...found.map(({ id }) => id));
    after = end?.id ?? null;
  }
  const shown = ids.slice(0, limit);
  const exceptions = await exceptionsOf(connection, messageId, shown).execute();
  return {
    exceptions: exceptions.filter((each): each is MessageException => each.kind !== "accepted"),
    nextAfterId: ids.length > limit ? (shown.at(-1) ?? null) : null,
  };
}

/** The registration at which a slice of so many ends; no row if there are fewer. */
export function endOfSlice(
  connection: Connection,
  messageId: string,
  afterId: number,
  rows: number,
) {
  return connection
    .selectFrom("message_exceptions")
    .select("registration_id as id")
    .where("message_id", "=", messageId)
    .where("registration_id", ">", afterId)
    .orderBy("registration_id")
    .limit(1)
    .offset(rows - 1);
}

type Sought = { [Name in "kind" | "reason"]: ExceptionsOptions[Name] | undefined } & {
  limit: number;
};

/** Of those that have not accepted: who accepted after all is among them because the registration moved. */
export function idsInSlice(
  connection: Connection,
  messageId: string,
  { afterId, lastId }: { afterId: number; lastId: number },
  { kind, reason, limit }: Sought,
) {
  return connection
    .selectFrom("message_exceptions")
    .select("registration_id as id")
    .where("message_id", "=", messageId)
    .where("registration_id", ">", afterId)
    .where("registration_id", "<=", lastId)
    .where("kind", "<>", "accepted")
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind ?? "gone"))
    .$if(reason !== undefined, (query) => query.where("reason", "=", reason ?? ""))
    .orderBy("registration_id")
    .limit(limit);
}

export function exceptionsOf(connection: Connection, messageId: string, ids: readonly number[]) {
  return connection
    .selectFrom("message_exceptions as exception")
    .leftJoin("registrations", "registrations.id", "exception.registration_id")
    .select([
      "exception.registration_id as registrationId",
      "registrations.token",
      "exception.push_origin as pushOrigin",
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
