/** Who published a message, or made a key: kept by kind and row, and called by the name that the row has now. */
import { sql } from "kysely";
import type { Actor, Doer } from "../port.ts";
import type { Connection } from "./connection.ts";
import { firstOfLine } from "./messages-of-key.ts";

type Kind = "api-key" | "operator" | "command-line";

/** Columns of whoever the audit's line names; null for the server, which does nothing by itself that is kept as its own. */
export function doerOf<Of extends Kind>(
  actor: Actor | undefined,
  kinds: readonly Of[],
): { kind: Of | null; id: number | null } {
  const kind = kinds.find((each) => each === actor?.kind) ?? null;
  return { kind, id: kind === null ? null : (actor?.id ?? null) };
}

/** Whose idempotency keys are this actor's: a rotated API key's are its successor's, too. */
export async function ownerOf(connection: Connection, actor: Actor | undefined): Promise<string> {
  const { kind, id } = actor ?? { kind: "nobody" };
  if (id === undefined) return kind;
  return `${kind}:${kind === "api-key" ? await firstOfLine(connection, id) : id}`;
}

/** The name of whoever these columns stand for. @param kind of these columns @param id of these columns */
export function nameOfDoer(kind: string, id: string) {
  return sql<string | null>`case ${sql.ref(kind)}
    when 'api-key' then (select coalesce(nullif(name, ''), prefix) from api_keys as key where key.id = ${sql.ref(id)})
    when 'operator' then (select name from operators as one where one.id = ${sql.ref(id)})
  end`;
}

export function doerFrom<Of extends Kind>(kind: Of | null, name: string | null): Doer<Of> | null {
  return kind === null ? null : { kind, name };
}
