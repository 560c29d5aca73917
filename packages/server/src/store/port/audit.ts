import type { JsonValue } from "@sineta/protocol";

/** Who did something. `name` is an e-mail address, an API key's prefix, or the name of the system's user. */
export type Actor = {
  kind: "operator" | "api-key" | "command-line" | "server" | "nobody";
  name: string;
  /** Row of the operator or API key, where what they do is remembered as theirs. The audit keeps the name alone. */
  id?: number;
};

/** Who asks for something, and from where. */
export type Asker = {
  actor: Actor;
  /** IP address; null where there is none, as on the command line. */
  address: string | null;
};

/** A line of the audit, as whoever causes it writes it. Holds no secret and nothing that leads to a visitor. */
export type AuditEntry = Asker & {
  /** Null where it concerns the whole server. */
  projectId: number | null;
  /** What was done, such as `api-key.created`: a noun of docs/glossary.md, and what became of it. */
  action: string;
  /** To what: a message's id, a key's prefix, an e-mail address. */
  subject: string;
  /** What was changed: new values by their names, where it helps also the old ones; null if the action says it all. */
  change: Record<string, JsonValue> | null;
};

export type AuditLine = AuditEntry & { id: number; atMs: number };

/** Which lines are meant: those to which all that is given applies. */
export type AuditFilter = {
  /** Exactly this action. */
  action?: string;
  /** Exactly this name of who did it. */
  actor?: string;
  /** From then on. */
  fromMs?: number;
  /** Until just before then. */
  untilMs?: number;
};

/**
 * Append-only: no line is ever changed. Calls of other stores that take an `AuditEntry` write it in the transaction of
 * what they change, and write none where they change nothing.
 */
export type AuditStore = {
  /** For what changes nothing else that is kept. */
  append(entry: AuditEntry, nowMs: number): Promise<void>;
  /** Newest first, before `beforeId` if it is given. @param projectIds null among them stands for the whole server */
  list(
    projectIds: readonly (number | null)[],
    options: AuditFilter & { limit: number; beforeId?: number },
  ): Promise<AuditLine[]>;
  /** Removes lines from before this time, at most so many, and tells how many. None that is younger than 30 days. */
  removeBefore(timeMs: number, limit: number): Promise<number>;
};
