/** The words of messages, by which the list is searched: FTS5 keeps them (SQLite documentation, "FTS5"). */
import type { DatabaseSync } from "node:sqlite";
import type { NewMessage } from "../port.ts";
import { phrasesOf, wordsOf } from "../search-words.ts";
import type { Connection } from "./connection.ts";

/** Indexes a message that was just inserted. */
export async function indexMessage(
  transaction: Connection,
  messageId: string,
  { title, body }: NewMessage["notification"],
): Promise<void> {
  const { number } = await transaction
    .insertInto("message_numbers")
    .values({ message_id: messageId })
    .returning("number")
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("message_words")
    .values({ rowid: number, title: textOf(title), body: textOf(body) })
    .execute();
}

/** Indexes each message that is not indexed yet, in the order of publication. */
export function indexMessages(database: DatabaseSync): void {
  const last = database.prepare("select max(number) as number from message_numbers").get();
  database.exec(
    `insert into message_numbers (message_id) select id from messages
      where not exists (select 1 from message_numbers where message_id = messages.id) order by id`,
  );
  const texts = database.prepare(
    `select number, json_extract(notification, '$.title') as title, json_extract(notification, '$.body') as body
      from message_numbers join messages on messages.id = message_id where number > ? order by number`,
  );
  const insert = database.prepare(
    "insert into message_words (rowid, title, body) values (?, ?, ?)",
  );
  for (const { number, title, body } of texts.iterate(last?.["number"] ?? 0)) {
    insert.run(number ?? null, textOf(title), textOf(body));
  }
}

/**
 * A search in the language of FTS5 (section 3 of its documentation). Null if the search has no word.
 */
export function matchOf(search: string): string | null {
  const phrases = phrasesOf(search).map(
    ({ words, isPrefix }) => `"${words.join(" ")}"${isPrefix ? " *" : ""}`,
  );
  return phrases.length === 0 ? null : phrases.join(" ");
}

/** What another version or a fault has left may be no text. */
function textOf(value: unknown): string {
  return typeof value === "string" ? wordsOf(value).join(" ") : "";
}
