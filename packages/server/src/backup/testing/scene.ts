import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { openPresentDataFolder } from "../../data-folder.ts";
import { testPlaces } from "../../test/places.ts";
import { makeBackup } from "../make-backup.ts";

const frozen = new URL("../../test/frozen/schema-0013/", import.meta.url);

/** Makes the data folder of a server of an earlier schema, with 49 live registrations. */
export function thawData(dataFolder: string): void {
  mkdirSync(dataFolder, { mode: 0o700 });
  const database = gunzipSync(readFileSync(new URL("sineta.db.gz", frozen)));
  writeFileSync(join(dataFolder, "sineta.db"), database, { mode: 0o600 });
  copyFileSync(new URL("secret", frozen), join(dataFolder, "secret"));
}

/** Later than all that the frozen data holds. */
export const backedUpMs: number = Date.parse("2100-01-01T00:00:00Z");

export type BackupScene = ReturnType<typeof testPlaces> & {
  /** The data folder that the tests back up. Its database has the present schema. */
  source: string;
  /** The folder of the back-up. */
  medium: string;
  file: string;
  /** Makes the back-up, with the secret if there is a passphrase. */
  backUp(passphrase?: string | null): ReturnType<typeof makeBackup>;
};

export async function backupScene(): Promise<BackupScene> {
  const places = testPlaces();
  const source = join(places.folder, "source");
  const medium = join(places.folder, "medium");
  const file = join(medium, "one.db");
  thawData(source);
  await (await openPresentDataFolder(source, 5)).close();
  mkdirSync(medium);
  return {
    ...places,
    source,
    medium,
    file,
    backUp: (passphrase = null) =>
      makeBackup({
        dataFolder: source,
        secret: null,
        file,
        passphrase,
        randomBytes,
        nowMs: backedUpMs,
      }),
  };
}

/** Makes it like one of the first versions of Sineta, so that a test may change it: SQLite's own checks alone look at it then. */
export function removeChecksum(file: string): void {
  writeFileSync(file, readFileSync(file).fill(0, 68, 72));
}

/** A back-up differs from its source in these tables. */
const ofHold = new Set(["delivery_hold", "doubtful_messages", "database_home"]);

export function rowsBesideHold(path: string): ReturnType<typeof rowsOf> {
  return Object.fromEntries(Object.entries(rowsOf(path)).filter(([table]) => !ofHold.has(table)));
}

/** The rows of each table of Sineta's, by the table's name. */
export function rowsOf(path: string): Record<string, Record<string, SQLOutputValue>[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like '%words%'")
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        database.prepare(`select * from "${String(name)}"`).all(),
      ]),
    );
  } finally {
    database.close();
  }
}

export function isSound(path: string): boolean {
  const database = new DatabaseSync(path);
  try {
    const found = database.prepare("pragma integrity_check").all();
    const foreign = database.prepare("pragma foreign_key_check").all();
    return found.length === 1 && found[0]?.["integrity_check"] === "ok" && foreign.length === 0;
  } finally {
    database.close();
  }
}

/** The names in a folder with what the files hold. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).toSorted();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
}
