import { randomBytes } from "node:crypto";
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPresentDataFolder } from "../data-folder.ts";
import { secretPath } from "../secrets/secret-file.ts";
import { openDatabase } from "../store/sqlite/connection.ts";
import { migrate } from "../store/sqlite/migrate.ts";
import { migrations } from "../store/sqlite/migrations/index.ts";
import { testPlaces } from "../test/places.ts";
import { makeBackup, type BackupParts } from "./make-backup.ts";
import { filesIn, isSound, rowsBesideHold, rowsOf, thawData, backedUpMs } from "./testing/scene.ts";

let bench: ReturnType<typeof testPlaces>;
let folder: string;
beforeEach(() => {
  bench = testPlaces();
  thawData(bench.dataFolder);
  folder = join(bench.folder, "backups");
  mkdirSync(folder);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const file = () => join(folder, "one.db");
const database = () => join(bench.dataFolder, "sineta.db");
const backUp = (more: Partial<BackupParts> = {}) =>
  makeBackup({
    dataFolder: bench.dataFolder,
    secret: null,
    file: file(),
    passphrase: null,
    randomBytes,
    nowMs: backedUpMs,
    ...more,
  });

/** Of a back-up's passphrase. */
const saltBytes = 16;

function linkToData(): string {
  symlinkSync(bench.dataFolder, join(bench.folder, "link"));
  return join(bench.folder, "link", "x.db");
}

function linkToItself(): string {
  const link = join(bench.folder, "loop");
  symlinkSync(link, link);
  return join(link, "x.db");
}

/** SQLite takes no path of more than about 500 bytes on Unix. */
function tooDeep(): string {
  const deep = join(bench.folder, ...Array.from({ length: 3 }, () => "x".repeat(200)));
  mkdirSync(deep, { recursive: true });
  return join(deep, "x.db");
}

async function bringUpToDate(): Promise<void> {
  await (await openPresentDataFolder(bench.dataFolder, 5)).close();
}

/** Makes a data folder with the log of a server that was killed. */
function crashedData(): string {
  const server = openDatabase(database());
  server.exec("update projects set display_name = 'from the log'");
  const crashed = join(bench.folder, "crashed");
  mkdirSync(crashed);
  for (const name of ["sineta.db", "sineta.db-wal", "secret"]) {
    copyFileSync(join(bench.dataFolder, name), join(crashed, name));
  }
  server.close();
  return crashed;
}

describe("a back-up", () => {
  test("has all rows of the database, its label and the hold of delivery", async () => {
    await bringUpToDate();
    const made = await backUp();
    const { backup, ...after } = rowsBesideHold(file());
    expect(after).toEqual(rowsBesideHold(database()));
    expect(rowsOf(database())["delivery_hold"]).toEqual([]);
    expect(rowsOf(file())["delivery_hold"]).toEqual([{ reason: "restored", since_ms: backedUpMs }]);
    const { version } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    );
    expect(backup).toMatchObject([
      {
        version,
        created_at_ms: backedUpMs,
        secret_fingerprint: made.secretFingerprint,
        sealed_secret: null,
      },
    ]);
    expect(made).toMatchObject({ registrations: 49, messages: 7, bytes: statSync(file()).size });
    expect(isSound(file())).toBe(true);
  });

  test("belongs to its user alone, and nothing lies beside it", async () => {
    await backUp();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(Object.keys(filesIn(folder))).toEqual(["one.db"]);
  });

  test.runIf(process.getuid?.() === 0)(
    "belongs to root, who makes it of another user's data, and that user owns all files of the data folder",
    async () => {
      await bringUpToDate();
      const crashed = crashedData();
      const nobodyId = 65_534;
      for (const path of [
        crashed,
        ...Object.keys(filesIn(crashed)).map((name) => join(crashed, name)),
      ]) {
        chownSync(path, nobodyId, nobodyId);
      }
      await backUp({ dataFolder: crashed });
      expect(statSync(file()).uid).toBe(0);
      const owned = Object.keys(filesIn(crashed)).map((name) => {
        return [name, statSync(join(crashed, name)).uid];
      });
      expect(owned).toEqual([
        ["secret", nobodyId],
        ["sineta.db", nobodyId],
        // Root made it.
        ["sineta.db-shm", nobodyId],
        ["sineta.db-wal", nobodyId],
      ]);
    },
  );

  test("of an older schema changes nothing in the data folder", async () => {
    const before = filesIn(bench.dataFolder);
    await backUp();
    expect(filesIn(bench.dataFolder)).toEqual(before);
    expect(rowsOf(file())["registrations"]).toHaveLength(
      rowsOf(database())["registrations"]?.length ?? 0,
    );
    expect(rowsOf(file())["schema_migrations"]).toHaveLength(migrations.length);
  });

  test("takes in what only the log of a crash has, and leaves that log", async () => {
    await bringUpToDate();
    const elsewhere = crashedData();
    const { "sineta.db-wal": log } = filesIn(elsewhere);
    await backUp({ dataFolder: elsewhere });
    expect(rowsOf(file())["projects"]).toMatchObject([{ display_name: "from the log" }]);
    expect(filesIn(elsewhere)["sineta.db-wal"]).toBe(log);
  });

  test("doubts the messages that have not ended, and remembers no birth time", async () => {
    await bringUpToDate();
    await backUp();
    const { messages = [], doubtful_messages: doubtful, database_home: home } = rowsOf(file());
    const open = messages.filter((row) => row["ended_at_ms"] === null);
    expect(open).toHaveLength(4);
    expect(doubtful).toEqual(
      open.map((row) => ({ message_id: row["id"], due_at_ms: row["scheduled_at_ms"] })),
    );
    expect(home).toEqual([]);
  });

  test("of a database that has no times for its doubtful messages gets them", async () => {
    const earlier = openDatabase(database());
    const withoutTimes = migrations.findIndex(({ name }) => name === "0026-doubtful-times");
    migrate(earlier, 5, migrations.slice(0, withoutTimes));
    earlier.exec("insert into doubtful_messages select id from messages where ended_at_ms is null");
    earlier.close();
    await backUp();
    const { messages = [], doubtful_messages: doubtful } = rowsOf(file());
    const open = messages.filter((row) => row["ended_at_ms"] === null);
    expect(open).toHaveLength(4);
    expect(doubtful).toEqual(
      open.map((row) => ({ message_id: row["id"], due_at_ms: row["scheduled_at_ms"] })),
    );
  });

  test("of a back-up that was put in place by hand has a new label, and no byte of the old secret", async () => {
    await backUp({ passphrase: "correct horse battery staple" });
    const [label] = rowsOf(file())["backup"] ?? [];
    const sealed = Buffer.from(label?.["sealed_secret"] as Uint8Array);
    renameSync(file(), database());
    await backUp({ nowMs: backedUpMs + 1 });
    expect(rowsOf(file())["backup"]).toMatchObject([
      { created_at_ms: backedUpMs + 1, sealed_secret: null },
    ]);
    expect(readFileSync(file()).includes(sealed.subarray(20, 36))).toBe(false);
  });

  test("after a killed rotation names the next secret, and leaves it the next one", async () => {
    await bringUpToDate();
    const { secret: next = "" } = filesIn(bench.dataFolder);
    writeFileSync(`${secretPath(bench.dataFolder)}.next`, Buffer.from(next, "base64"));
    writeFileSync(secretPath(bench.dataFolder), Buffer.alloc(32, 1).toString("base64url"));
    const before = filesIn(bench.dataFolder);
    expect((await backUp()).secretFingerprint).toBe("5ee05a36");
    expect(filesIn(bench.dataFolder)).toEqual(before);
  });

  test("replaces a hold that the source has", async () => {
    await bringUpToDate();
    const source = openDatabase(database());
    source.exec("insert into delivery_hold values ('asked', 1)");
    source.close();
    await backUp();
    expect(rowsOf(file())["delivery_hold"]).toEqual([{ reason: "restored", since_ms: backedUpMs }]);
  });

  test("is made beside another one of the same folder", async () => {
    await bringUpToDate();
    const soon = Date.now();
    const [one, two] = [file(), join(folder, "two.db")];
    const passphrase = "correct horse battery staple";
    await Promise.all([one, two].map((path) => backUp({ file: path, passphrase, nowMs: soon })));
    expect(Object.keys(filesIn(folder))).toEqual(["one.db", "two.db"]);
    expect([isSound(one), isSound(two)]).toEqual([true, true]);
  });

  test("removes what a killed back-up has left for more than a day, and no other file", async () => {
    const soon = Date.now();
    const names = [
      ".sineta-backup-0123456789ab.part",
      ".sineta-backup-0123456789ab.part-journal",
      ".sineta-backup-ba9876543210.part",
      ".sineta-backup-mine.part",
      "one.db.part",
    ];
    for (const name of names) {
      const path = join(folder, name);
      writeFileSync(path, "half of it");
      const days = name.includes("ba98") ? 0.9 : 1.1;
      utimesSync(path, soon / 1000, soon / 1000 - days * 86_400);
    }
    await backUp({ nowMs: soon });
    expect(Object.keys(filesIn(folder))).toEqual([...names.slice(2), "one.db"].toSorted());
  });

  test("names the secret that opens it where another one comes meanwhile", async () => {
    const whileItCopies = (secret: string) => (count: number) => {
      writeFileSync(secretPath(bench.dataFolder), secret);
      return randomBytes(count);
    };
    const own = readFileSync(secretPath(bench.dataFolder), "utf8");
    const other = Buffer.alloc(32, 1).toString("base64url");
    const before = await backUp({ randomBytes: whileItCopies(other) });
    expect(before.secretFingerprint).toBe("5ee05a36");
    rmSync(file());
    const after = await backUp({ randomBytes: whileItCopies(own) });
    expect(after.secretFingerprint).toBe("5ee05a36");
  });
});

describe("no back-up is made, and none is left,", () => {
  const left = () => filesIn(folder);

  test("in the place of another file", async () => {
    writeFileSync(file(), "precious");
    await expect(backUp()).rejects.toMatchObject({ code: "backup-exists" });
    expect(readFileSync(file(), "utf8")).toBe("precious");
    expect(Object.keys(left())).toEqual(["one.db"]);
  });

  test("in the place of a file that appears meanwhile", async () => {
    const late = (count: number) => {
      if (count === saltBytes) writeFileSync(file(), "precious");
      return randomBytes(count);
    };
    const passphrase = "correct horse battery staple";
    await expect(backUp({ randomBytes: late, passphrase })).rejects.toMatchObject({
      code: "backup-exists",
    });
    expect(readFileSync(file(), "utf8")).toBe("precious");
    expect(Object.keys(left())).toEqual(["one.db"]);
  });

  test("where its part was removed meanwhile", async () => {
    const other = (count: number) => {
      if (count === saltBytes) for (const name of readdirSync(folder)) rmSync(join(folder, name));
      return randomBytes(count);
    };
    const passphrase = "correct horse battery staple";
    await expect(backUp({ randomBytes: other, passphrase })).rejects.toMatchObject({
      code: "backup-unwritable",
      message: expect.stringMatching(/^Another program has removed \S+\.part while/),
    });
    expect(left()).toEqual({});
  });

  test.for<[name: string, place: () => string, says: RegExp]>([
    ["in a folder that is not there", () => join(folder, "none", "x.db"), /none is not there/],
    ["below a file", () => join(database(), "x.db"), /is not a folder|in the data folder/],
    ["below a link to itself", linkToItself, /loop is a link that leads to itself, so name/],
    ["under too long a name", () => join(folder, "x".repeat(300)), /name is too long/],
    ["in the data folder, through a link", linkToData, /would lie in the data folder/],
    ["where SQLite opens no file", tooDeep, /SQLite cannot write it/],
    ["in the data folder", () => join(bench.dataFolder, "x.db"), /would lie in the data folder/],
  ])("%s", async ([, place, says]) => {
    const before = filesIn(bench.dataFolder);
    const path = place();
    await expect(backUp({ file: path })).rejects.toMatchObject({
      code: "backup-unwritable",
      message: expect.stringMatching(says),
    });
    expect(left()).toEqual({});
    expect(filesIn(bench.dataFolder)).toEqual(before);
  });

  test("without the secret, or with another one", async () => {
    const path = secretPath(bench.dataFolder);
    writeFileSync(path, Buffer.alloc(32, 1).toString("base64url"));
    await expect(backUp()).rejects.toMatchObject({ code: "secret-unusable" });
    rmSync(path);
    await expect(backUp()).rejects.toMatchObject({ code: "secret-unusable" });
    expect(left()).toEqual({});
  });

  test("with another secret than before, if neither opens it", async () => {
    const path = secretPath(bench.dataFolder);
    writeFileSync(path, Buffer.alloc(32, 1).toString("base64url"));
    const another = (count: number) => {
      writeFileSync(path, Buffer.alloc(32, 2).toString("base64url"));
      return randomBytes(count);
    };
    await expect(backUp({ randomBytes: another })).rejects.toMatchObject({
      code: "secret-unusable",
      message: expect.stringMatching(/^The secret changed while .*: call the command again\.$/),
    });
    expect(left()).toEqual({});
  });

  test("of a database with a row that refers to none", async () => {
    const changed = new DatabaseSync(database(), { enableForeignKeyConstraints: false });
    changed.exec("update registrations set vapid_key_id = 999 where id = 1");
    changed.close();
    await expect(backUp()).rejects.toMatchObject({
      code: "data-damaged",
      message: expect.stringMatching(/sineta\.db is damaged \(a row refers .*no back-up was made/),
    });
    expect(left()).toEqual({});
  });

  test("of a folder without data, and of a damaged database", async () => {
    await expect(backUp({ dataFolder: join(bench.folder, "none") })).rejects.toMatchObject({
      code: "data-missing",
    });
    writeFileSync(database(), "");
    await expect(backUp()).rejects.toMatchObject({ code: "data-damaged" });
    expect(left()).toEqual({});
  });

  test("of a database that a later version wrote", async () => {
    const later = openDatabase(database());
    const next = { name: "9999-later", sql: "create table later (x integer) strict" };
    migrate(later, 5, [...migrations, next], "7.0.0");
    later.close();
    await expect(backUp()).rejects.toMatchObject({
      code: "data-too-new",
      message: expect.stringContaining("The data folder was written by Sineta 7.0.0"),
    });
    expect(left()).toEqual({});
  });
});
