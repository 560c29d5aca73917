import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { secretPath } from "../secrets/secret-file.ts";
import { openDatabase } from "../store/sqlite/connection.ts";
import { migrate } from "../store/sqlite/migrate.ts";
import { migrations } from "../store/sqlite/migrations/index.ts";
import { restoreBackup } from "./restore-backup.ts";
import { backupScene, filesIn, removeChecksum, type BackupScene } from "./testing/scene.ts";

let bench: BackupScene;
let source: string;
let medium: string;
let file: string;
beforeEach(async () => {
  bench = await backupScene();
  ({ source, medium, file } = bench);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const restore = () =>
  restoreBackup({
    file,
    dataFolder: bench.dataFolder,
    secret: null,
    passphrase: null,
    terminal: { askHidden: async () => null, err: () => undefined },
  });
const inFolder = () => Object.keys(filesIn(bench.dataFolder));
const putSecret = () => {
  mkdirSync(bench.dataFolder, { recursive: true });
  copyFileSync(secretPath(source), secretPath(bench.dataFolder));
};

describe("a file that is no whole back-up is refused, and no database is made", () => {
  const pageBytes = 4096;
  /** The code of the refusal, and the names in the data folder then beside lock and secret. */
  async function refusal(): Promise<string> {
    const code = await restore().then(
      () => "restored",
      (error: unknown) =>
        error instanceof Error && "code" in error ? String(error.code) : String(error),
    );
    const others = new Set(["serve.lock", "serve.lock-journal", "secret"]);
    const left = inFolder().filter((name) => !others.has(name));
    return [code, ...left].join();
  }
  beforeEach(async () => {
    putSecret();
    await bench.backUp();
  });

  test("with a changed bit anywhere, also where SQLite finds nothing", async () => {
    const whole = readFileSync(file);
    const refusals: string[] = [];
    for (let at = 18; at < whole.length; at += 2999) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(file, changed);
      refusals.push(await refusal());
    }
    expect(new Set(refusals)).toEqual(new Set(["backup-damaged"]));
    expect(refusals.length).toBeGreaterThan(100);
  });

  test("cut at each half of a page, within its header, and by one byte", async () => {
    const whole = readFileSync(file);
    const cuts = [0, 1, 15, 16, 99, 100, whole.length - 1];
    for (let at = pageBytes / 2; at < whole.length; at += pageBytes / 2) cuts.push(at);
    const refusals = new Set<string>();
    for (const at of cuts) {
      truncateSync(file, at);
      refusals.add(await refusal());
      writeFileSync(file, whole);
    }
    expect([...refusals]).toEqual(["backup-damaged"]);
    expect(cuts.length).toBeGreaterThan(100);
  });

  test("with bytes behind its end", async () => {
    writeFileSync(file, "more", { flag: "a" });
    expect(await refusal()).toBe("backup-damaged");
  });

  test("with a changed byte in the header of a page", async () => {
    removeChecksum(file);
    const whole = readFileSync(file);
    const refusals: string[] = [];
    for (let page = 1; page < whole.length / pageBytes; page += 7) {
      // The page's kind, its count of cells, and where they begin (SQLite documentation, "Database File Format", 1.6).
      for (const offset of [0, 4, 5]) {
        const changed = Buffer.from(whole);
        const at = page * pageBytes + offset;
        changed[at] = (changed[at] ?? 0) ^ 0x55;
        writeFileSync(file, changed);
        refusals.push(await refusal());
      }
    }
    expect(new Set(refusals)).toEqual(new Set(["backup-damaged"]));
    expect(refusals.length).toBeGreaterThan(30);
  });

  test("with a row that refers to none", async () => {
    removeChecksum(file);
    const changed = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    changed.exec("update registrations set vapid_key_id = 999 where id = 1");
    changed.close();
    expect(await refusal()).toBe("backup-damaged");
  });

  test("with a changed byte in the list of free pages", async () => {
    removeChecksum(file);
    const changed = readFileSync(file);
    // How many there are (SQLite documentation, "Database File Format", section 1.3).
    changed[36] = 0x40;
    writeFileSync(file, changed);
    expect(await refusal()).toBe("backup-damaged");
  });

  test.for([
    "update backup set created_at_ms = 9223372036854775807",
    "update backup set created_at_ms = 8640000000000001",
    "alter table backup drop column created_at_ms",
    "create table other (one references backup (version))",
    "alter table messages rename to other",
    `create table other (one text unique); insert into other values ('a'), ('b'); pragma writable_schema = on;
      update sqlite_schema set sql = replace(sql, 'text', 'text collate strange') where name = 'other'`,
  ])("with a label or tables that Sineta does not write: %s", async (sql) => {
    removeChecksum(file);
    const changed = new DatabaseSync(file, { defensive: false });
    changed.exec(sql);
    changed.close();
    expect(await refusal()).toBe("backup-damaged");
  });

  test.for<[name: string, make: () => void, code: string, says: RegExp]>([
    ["that is not there", () => rmSync(file), "backup-unreadable", /one\.db is not there/],
    [
      "that is a folder",
      () => {
        rmSync(file);
        mkdirSync(file);
      },
      "backup-foreign",
      /is a folder: name a file in it/,
    ],
    [
      "that is a pipe",
      () => {
        rmSync(file);
        execFileSync("mkfifo", [file]);
      },
      "backup-foreign",
      /is no file/,
    ],
    [
      "that is named with a slash behind it",
      () => (file += "/"),
      "backup-unreadable",
      /is named as if a file were a folder/,
    ],
    [
      "that is a link to itself",
      () => {
        rmSync(file);
        symlinkSync(file, file);
      },
      "backup-unreadable",
      /is a link that leads to itself/,
    ],
    [
      "that has too long a name",
      () => (file += "x".repeat(300)),
      "backup-unreadable",
      /has too long a name/,
    ],
    [
      "that is a text",
      () => writeFileSync(file, "olá ".repeat(99)),
      "backup-foreign",
      /not a database/,
    ],
    [
      "that is another program's",
      () => {
        rmSync(file);
        const other = new DatabaseSync(file);
        other.exec("create table messages (id)");
        other.close();
      },
      "backup-foreign",
      /another program's database/,
    ],
    [
      "that is another program's, with a number in the place of the checksum",
      () => {
        rmSync(file);
        const other = new DatabaseSync(file);
        // GeoPackage's (OGC 12-128r19, section 1.1.1.1.1).
        other.exec("create table gpkg_contents (id); pragma application_id = 0x47504B47");
        other.close();
      },
      "backup-foreign",
      /another program's database/,
    ],
    [
      "that is a plain copy of the database",
      () => copyFileSync(join(source, "sineta.db"), file),
      "backup-foreign",
      /copy of Sineta's database .* by hand as sineta\.db/,
    ],
    [
      "that a later version made",
      () => {
        removeChecksum(file);
        const later = openDatabase(file);
        later.exec("pragma journal_mode = delete");
        const next = { name: "9999-later", sql: "create table later (x integer) strict" };
        migrate(later, 5, [...migrations, next], "7.0.0");
        later.close();
      },
      "data-too-new",
      /^The back-up .*one\.db was written by Sineta 7\.0\.0\./,
    ],
    [
      "whose secret would take all memory",
      () => {
        removeChecksum(file);
        const changed = new DatabaseSync(file);
        changed.exec(`update backup set sealed_secret = x'01', salt = zeroblob(16), memory_kib = 1 << 31,
          passes = 1, lanes = 1`);
        changed.close();
      },
      "backup-damaged",
      /secret cannot be opened/,
    ],
  ])("%s", async ([, make, code, says]) => {
    make();
    const beside = readdirSync(medium);
    await expect(restore()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(says),
    });
    expect(inFolder()).toEqual(["secret"]);
    expect(readdirSync(medium)).toEqual(beside);
  });
});
