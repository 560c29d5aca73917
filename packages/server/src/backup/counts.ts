import type { DatabaseSync } from "node:sqlite";

export type Counts = { registrations: number; messages: number };

/** How many live registrations, and how many messages a database has. */
export function countsOf(database: DatabaseSync): Counts {
  const row = database
    .prepare(
      `select (select count(*) from registrations where ended_at_ms is null) as registrations,
        (select count(*) from messages) as messages`,
    )
    .get();
  return { registrations: Number(row?.["registrations"]), messages: Number(row?.["messages"]) };
}

export function countsText({ registrations, messages }: Counts): string {
  return `${numbered(registrations, "registration")} and ${numbered(messages, "message")}`;
}

function numbered(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
