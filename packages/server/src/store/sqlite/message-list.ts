/** Which messages a list has: found by what is in an index, so that no message is read that is left out. */
import { sql } from "kysely";
import type { MessageFilter } from "../port.ts";
import type { Connection } from "./connection.ts";
import { matchOf } from "./search-index.ts";

type Page = { beforeId: string | undefined; limit: number; filter: MessageFilter };

/** Ids of the project's messages, newest first; as many as there are up to `limit`. */
export async function listedIds(
  connection: Connection,
  projectId: number,
  page: Page,
): Promise<string[]> {
  const { search } = page.filter;
  const match = search === undefined ? undefined : matchOf(search);
  if (match === null) return [];
  const query =
    match === undefined
      ? idsBefore(connection, projectId, page)
      : idsWith(connection, projectId, { ...page, match });
  return (await query.execute()).map(({ id }) => id);
}

/** Walks an index alone. */
export function idsBefore(
  connection: Connection,
  projectId: number,
  { beforeId, limit, filter }: Page,
) {
  return filtered(connection, projectId, filter)
    .$if(beforeId !== undefined, (query) => query.where("messages.id", "<", beforeId ?? ""))
    .select("messages.id")
    .orderBy("messages.id", "desc")
    .limit(limit);
}

/** Walks what has the words, which lie in the order of publication. */
export function idsWith(
  connection: Connection,
  projectId: number,
  { beforeId, limit, filter, match }: Page & { match: string },
) {
  // If no message has this id, the one before it is included.
  const before = connection
    .selectFrom("message_numbers")
    .select(sql<number>`number + (message_id < ${beforeId ?? ""})`.as("number"))
    .where("message_id", "<=", beforeId ?? "")
    .orderBy("message_id", "desc")
    .limit(1);
  return filtered(connection, projectId, filter)
    .innerJoin("message_numbers", "message_numbers.message_id", "messages.id")
    .innerJoin("message_words", "message_words.rowid", "message_numbers.number")
    .where("message_words.message_words", "match", match)
    .$if(beforeId !== undefined, (query) => query.where("message_words.rowid", "<", before))
    .select("messages.id")
    .orderBy("message_words.rowid", "desc")
    .limit(limit);
}

function filtered(
  connection: Connection,
  projectId: number,
  { state, targetKind, scheduledFromMs, scheduledBeforeMs }: MessageFilter,
) {
  return connection
    .selectFrom("messages")
    .where("messages.project_id", "=", projectId)
    .$if(state !== undefined, (query) => query.where("messages.state", "=", state ?? "done"))
    .$if(scheduledFromMs !== undefined, (query) =>
      query.where("messages.scheduled_at_ms", ">=", scheduledFromMs ?? 0),
    )
    .$if(scheduledBeforeMs !== undefined, (query) =>
      query.where("messages.scheduled_at_ms", "<", scheduledBeforeMs ?? 0),
    )
    .$if(targetKind !== undefined, (query) =>
      // As the index has it.
      query.where(sql`json_extract(messages.target, '$.kind')`, "=", targetKind),
    );
}
