import { DatabaseSync } from "node:sqlite";
import { Kysely, sql, SqliteDialect } from "kysely";
import { pushServiceNameOf } from "../../webpush/push-hosts.ts";
import { statementsOf, type Statement } from "./statements.ts";
import type { Tables } from "./tables.ts";

export type Connection = Kysely<Tables>;

/** How long a writer waits for another process's transaction. It blocks the thread, so it is short. */
export const busyTimeoutMs = 5000;

/**
 * So many pages of 4 KiB the log may have before a commit brings them back into the database, four times what SQLite does by itself: what
 * visitors write is spread over the indexes, and a page that was written several times meanwhile is brought back once.
 */
const logPages = 4000;

/**
 * Opens the file, made if it is not there, so that a commit is durable (WAL with `synchronous = full`: SQLite
 * documentation, "PRAGMA synchronous") and several processes may work on it at once.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  database.exec(
    `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma wal_autocheckpoint = ${logPages}`,
  );
  addFunctions(database);
  return database;
}

/** The functions that migrations and queries call. */
export function addFunctions(database: DatabaseSync): void {
  database.function("push_service_of", { deterministic: true }, (pushOrigin) =>
    pushServiceNameOf(String(pushOrigin)),
  );
}

/** Kysely on one `node:sqlite` connection. Transactions queue: inside one, use its own handle only. */
export function connect(database: DatabaseSync): Connection {
  const prepare = statementsOf(database);
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        prepare(text) {
          if (text === "rollback") return rollback(database);
          // Kysely's driver begins DEFERRED transactions. Those fail when another process writes between their
          // first read and first write; IMMEDIATE ones wait at the start instead.
          return prepare(text === "begin" ? "begin immediate" : text);
        },
        close: () => database.close(),
      },
    }),
  });
}

/**
 * Runs a write without waiting for the disk. If the machine stops before the next write that waits, it is as if it had not been
 * made; nothing is lost with it if only the process ends (SQLite documentation, "PRAGMA synchronous").
 */
export function withoutWaiting<Result>(
  connection: Connection,
  write: (held: Connection) => Promise<Result>,
): Promise<Result> {
  return connection.connection().execute(async (held) => {
    await sql`pragma synchronous = normal`.execute(held);
    try {
      return await write(held);
    } finally {
      await sql`pragma synchronous = full`.execute(held);
    }
  });
}

/**
 * Where the disk is full or fails, SQLite rolls back by itself (SQLite documentation, "BEGIN TRANSACTION", section
 * 3): a second rollback would fail, and its error take the place of the cause.
 */
function rollback(database: DatabaseSync): Statement {
  return {
    reader: false,
    all: () => [],
    run: () => {
      if (database.isTransaction) database.exec("rollback");
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: () => [].values(),
  };
}
