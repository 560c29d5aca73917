import type { DatabaseSync } from "node:sqlite";
import packageJson from "../../../package.json" with { type: "json" };
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
 * it, the others wait and find it done. `schema_versions` records each version of Sineta that migrated the file, with the time. An earlier
 * version works with the schema as long as it knows every migration.
 * @param version of this Sineta
 * @throws CommandError `data-too-new` if the file has a migration that this version does not know
 */
export function migrate(
  database: DatabaseSync,
  nowMs: number,
  migrations: readonly Migration[] = all,
  version: string = packageJson.version,
): void {
  database.exec("begin immediate");
  try {
    database.exec(
      `create table if not exists schema_migrations (
        name text primary key,
        applied_at_ms integer not null
      ) strict;
      create table if not exists schema_versions (
        version text not null,
        migrated_at_ms integer not null
      ) strict`,
    );
    demandKnown(database, { what: "The data folder", migrations, version });
    const applied = appliedTo(database);
    const missing = migrations.filter(({ name }) => !applied.includes(name));
    const record = database.prepare("insert into schema_migrations values (?, ?)");
    for (const { name, sql, after } of missing) {
      database.exec(sql);
      after?.(database);
      record.run(name, nowMs);
    }
    if (missing.length > 0) {
      database.prepare("insert into schema_versions values (?, ?)").run(version, nowMs);
    }
    database.exec("commit");
  } catch (error) {
    // On a full disk SQLite has done so itself.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

/**
 * Demands that this version knows every migration that the database has had.
 * @param known.what the beginning of the sentence: what has the database in it
 * @throws CommandError `data-too-new`
 */
export function demandKnown(
  database: DatabaseSync,
  {
    what,
    migrations = all,
    version = packageJson.version,
  }: { what: string; migrations?: readonly Migration[]; version?: string },
): void {
  const unknown = appliedTo(database).find(
    (name) => !migrations.some((known) => known.name === name),
  );
  if (unknown === undefined) return;
  throw tooNew({ what, unknown, later: lastVersion(database), version });
}

function appliedTo(database: DatabaseSync): string[] {
  const rows = database.prepare("select name from schema_migrations order by name").all();
  return rows.map((row) => String(row["name"]));
}

/** The version that brought the schema to where it is; null if it kept no version yet. */
function lastVersion(database: DatabaseSync): string | null {
  const row = database
    .prepare("select version from schema_versions order by rowid desc limit 1")
    .get();
  return row === undefined ? null : String(row["version"]);
}

function tooNew(found: {
  what: string;
  unknown: string;
  later: string | null;
  version: string;
}): CommandError {
  const { what, unknown, later, version } = found;
  const writer = later === null ? "a later version of Sineta" : `Sineta ${later}`;
  const wanted = later === null ? "that version" : `Sineta ${later} or a later version`;
  return new CommandError(
    "data-too-new",
    `${what} was written by ${writer}. This is Sineta ${version}, which does not know the migration ${unknown}: run ${wanted}, ` +
      "or go back to a back-up from before the upgrade.",
  );
}
