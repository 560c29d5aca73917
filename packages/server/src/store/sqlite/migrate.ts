import type { DatabaseSync } from "node:sqlite";
import { CommandError } from "../../command-error.ts";
import { migrations as all, type Migration } from "./migrations/index.ts";

/** `none`: no table is there. `foreign`: Sineta has not made those that are; others have a `schema_migrations`, too. `pending`: some of Sineta's migrations have not run. */
export type SchemaState = "none" | "foreign" | "pending" | "applied";

/** How far the schema is. Changes nothing. */
export function schemaState(database: DatabaseSync): SchemaState {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  if (tables.length === 0) return "none";
  const columns = database.prepare("select name from pragma_table_info('schema_migrations')").all();
  if (columns.map(({ name }) => name).join() !== "name,applied_at_ms") return "foreign";
  const applied = database.prepare("select name from schema_migrations").all();
  // Sineta makes the table and its first rows at once.
  if (applied.length === 0) return "foreign";
  const isApplied = all.every(({ name }) => applied.some((row) => row["name"] === name));
  return isApplied ? "applied" : "pending";
}

/**
 * Brings the schema up to date, in one IMMEDIATE transaction: of several processes that start at once one does
 * it, the others wait and find it done.
 * @throws CommandError `data-too-new` if the file was written by a later version of Sineta
 */
export function migrate(
  database: DatabaseSync,
  nowMs: number,
  migrations: readonly Migration[] = all,
): void {
  database.exec("begin immediate");
  try {
    database.exec(
      `create table if not exists schema_migrations (
        name text primary key,
        applied_at_ms integer not null
      ) strict`,
    );
    const applied = database
      .prepare("select name from schema_migrations order by name")
      .all()
      .map((row) => String(row["name"]));
    const unknown = applied.find((name) => !migrations.some((known) => known.name === name));
    if (unknown !== undefined) {
      throw new CommandError(
        "data-too-new",
        `The data folder was written by a later version of Sineta (it has the migration ${unknown}): run that version.`,
      );
    }
    const record = database.prepare("insert into schema_migrations values (?, ?)");
    for (const migration of migrations) {
      if (applied.includes(migration.name)) continue;
      database.exec(migration.sql);
      migration.after?.(database);
      record.run(migration.name, nowMs);
    }
    database.exec("commit");
  } catch (error) {
    // On a full disk SQLite has done so itself.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}
