import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Kysely, SqliteDialect } from "kysely";
import type { Tables } from "./tables.ts";

export type Connection = Kysely<Tables>;

/** How long a writer waits for another process's transaction. It blocks the thread, so it is short. */
const busyTimeoutMs = 5000;

/**
 * Opens the file, made if it is not there, so that a commit is durable (WAL with `synchronous = full`: SQLite
 * documentation, "PRAGMA synchronous") and several processes may work on it at once.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on");
  return database;
}

/** Kysely on one `node:sqlite` connection. Transactions queue: inside one, use its own handle only. */
export function connect(database: DatabaseSync): Connection {
  const statements = new Map<string, ReturnType<typeof asStatement>>();
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        prepare(sql) {
          let statement = statements.get(sql);
          if (statement === undefined) {
            if (sql === "rollback") return rollback(database);
            // Kysely's driver begins DEFERRED transactions. Those fail when another process writes between their
            // first read and first write; IMMEDIATE ones wait at the start instead.
            statement = asStatement(database.prepare(sql === "begin" ? "begin immediate" : sql));
            if (statements.size < 200) statements.set(sql, statement);
          }
          return statement;
        },
        close: () => database.close(),
      },
    }),
  });
}

/**
 * Where the disk is full or fails, SQLite rolls back by itself (SQLite documentation, "BEGIN TRANSACTION", section
 * 3): a second rollback would fail, and its error take the place of the cause.
 */
function rollback(database: DatabaseSync) {
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

function asStatement(statement: StatementSync) {
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...bindable(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...bindable(parameters)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...bindable(parameters)),
  };
}

/** `node:sqlite` would bind `undefined`, NaN and dates as NULL without a word. */
function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => {
    if (
      value === null ||
      typeof value === "string" ||
      typeof value === "bigint" ||
      (typeof value === "number" && Number.isFinite(value)) ||
      value instanceof Uint8Array
    ) {
      return value;
    }
    throw new TypeError(`SQLite cannot bind a value of type ${typeof value}`);
  });
}
