import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** What Kysely asks of a prepared statement. */
export type Statement = {
  /** Whether it gives rows. */
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
};

const mostKept = 200;

/** Prepares SQL; what was prepared on this connection before is there still. */
export function statementsOf(database: DatabaseSync): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const prepared = database.prepare(sql);
    const statement: Statement = {
      reader: prepared.columns().length > 0,
      all: (parameters) => prepared.all(...bindable(parameters)),
      run: (parameters) => prepared.run(...bindable(parameters)),
      iterate: (parameters) => prepared.iterate(...bindable(parameters)),
    };
    if (statements.size < mostKept) statements.set(sql, statement);
    return statement;
  };
}

/**
 * `node:sqlite` would bind `undefined`, NaN and dates as NULL without a word.
 * @throws TypeError for whatever SQLite has no value for
 */
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
