import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../connection.ts";
import { migrate } from "../migrate.ts";

let made: Buffer | undefined;

/**
 * Writes a database with today's schema and no rows. To make the schema takes 30 ms; a process that runs many tests makes it once
 * and copies it.
 * @param path of a file that is not there yet
 */
export function writeEmptyDatabase(path: string): void {
  made ??= makeEmptyDatabase();
  writeFileSync(path, made, { flag: "wx" });
}

function makeEmptyDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "sineta-empty-"));
  try {
    const path = join(folder, "empty.db");
    const database = openDatabase(path);
    migrate(database, 0);
    // What it leaves is one file: the last connection takes the write-ahead log back into it.
    database.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
