import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataError } from "./data-errors.ts";
import { openDataFolder, openPresentDataFolder } from "./data-folder.ts";
import { promoteNextSecret, writeNextSecret } from "./secrets/secret-file.ts";
import { takeServeLock } from "./serve-lock.ts";
import { makeData } from "./test/make-data.ts";
import { startScript } from "./test/process.ts";

const nobodyId = 65_534;
const isRoot = process.getuid?.() === 0;

let top: string;
/** A data folder, to be copied. */
let sound: string;
beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "sineta-data-errors-"));
  chmodSync(top, 0o755);
  sound = join(top, "sound");
  await makeData(sound);
});
afterAll(() => rmSync(top, { recursive: true }));

let made = 0;
/** A data folder of its own, made by `change` into what it is to be. */
function folderWith(change: (folder: string, database: string) => void): string {
  made += 1;
  const folder = join(top, `data-${made}`);
  mkdirSync(folder, 0o755);
  for (const name of ["sineta.db", "secret"]) copyFileSync(join(sound, name), join(folder, name));
  change(folder, join(folder, "sineta.db"));
  return folder;
}

function writeByte(file: string, at: number, byte: number): void {
  const bytes = readFileSync(file);
  bytes[at] = byte;
  writeFileSync(file, bytes);
}

/** What a command would say that opens the folder and writes. */
async function told(
  folder: string,
  open: typeof openDataFolder,
): Promise<{ code: string; message: string }> {
  try {
    const store = await open(folder, 1);
    try {
      await store.check();
    } finally {
      await store.close();
    }
  } catch (error) {
    const found = dataError(folder, error);
    if (found === null) throw error;
    return { code: found.code, message: found.message };
  }
  throw new Error("it was opened");
}

describe("a damaged database is called that, by commands and by the server", () => {
  test.for<[name: string, change: (database: string) => void]>([
    ["is another file", (database) => writeFileSync(database, "garbage ".repeat(1_000))],
    ["is cut in its first page", (database) => truncateSync(database, 100)],
    ["is cut in its second page", (database) => truncateSync(database, 5_000)],
    ["lacks its end", (database) => truncateSync(database, statSync(database).size - 3 * 4_096)],
    [
      "was written over, but for its header",
      (database) => {
        const bytes = readFileSync(database);
        writeFileSync(database, bytes.fill(0x41, 200));
      },
    ],
    [
      "was written over, but for its first page",
      (database) => {
        const bytes = readFileSync(database);
        writeFileSync(database, bytes.fill(0x41, 4_096));
      },
    ],
    ["has a header of a later format", (database) => writeByte(database, 18, 3)],
    [
      "has the number of a schema that SQLite does not know",
      (database) => writeByte(database, 47, 9),
    ],
    [
      "has lost a table",
      (database) => {
        const opened = new DatabaseSync(database);
        opened.exec("alter table projects rename to lost");
        opened.close();
      },
    ],
  ])("that %s", async ([, change]) => {
    const folder = folderWith((_, database) => change(database));
    const file = join(folder, "sineta.db");
    const message = expect.stringMatching(
      new RegExp(
        `^The database ${file} is damaged \\(.+\\): stop Sineta, move ${file}, ${file}-wal and ${file}-shm away, and put a back-up there with sineta restore FILE\\.$`,
      ),
    );
    const expected = { code: "data-damaged", message };
    expect(await told(folder, openPresentDataFolder)).toEqual(expected);
    expect(await told(folder, openDataFolder)).toEqual(expected);
  });
});

test("a command that finds damage leaves the log of a crash, from which something may be saved", async () => {
  const folder = folderWith((_, database) => truncateSync(database, 5_000));
  writeFileSync(join(folder, "sineta.db-wal"), "the last commits");
  await told(folder, openPresentDataFolder);
  expect(readFileSync(join(folder, "sineta.db-wal"), "utf8")).toBe("the last commits");
});

const filesIn = (folder: string) =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name), "base64")]);

const elsewhere = "set SINETA_DATA to another folder";
const backUp = "put a back-up there with sineta restore FILE";

/** Another program's database in the place of Sineta's. */
function otherProgram(database: string, sql: string): void {
  rmSync(database);
  const other = new DatabaseSync(database);
  other.exec(sql);
  other.close();
}

describe("commands and the server fill no database whose data is lost, and no other program's", () => {
  test.for<[name: string, change: (database: string) => void, told: string]>([
    [
      "an empty one",
      (database) => truncateSync(database),
      `is empty: move it away and ${backUp}, or ${elsewhere}.`,
    ],
    [
      "an empty one with its log",
      (database) => {
        truncateSync(database);
        writeFileSync(`${database}-wal`, "the last commits");
      },
      `is empty: move it and DATABASE-wal away and ${backUp}, or ${elsewhere}.`,
    ],
    [
      "a missing one with its log",
      (database) => {
        renameSync(database, `${database}-wal`);
        rmSync(join(database, "..", "secret"));
      },
      `is missing, but its log DATABASE-wal is there: put the database back beside it, or move DATABASE-wal away and ${backUp}.`,
    ],
    [
      "a missing one with its journal",
      (database) => renameSync(database, `${database}-journal`),
      `is missing, but its log DATABASE-journal is there: put the database back beside it, or move DATABASE-journal away and ${backUp}.`,
    ],
    [
      "a missing one with its secret",
      (database) => rmSync(database),
      `is missing, but the secret FOLDER/secret is there: ${backUp}, or move the secret away to begin a new site.`,
    ],
    [
      "one with other tables",
      (database) => otherProgram(database, "create table orders (id)"),
      `is another program's: ${elsewhere}.`,
    ],
    [
      "one with another table of migrations",
      (database) =>
        otherProgram(
          database,
          "create table schema_migrations (version varchar not null primary key); insert into schema_migrations values ('1')",
        ),
      `is another program's: ${elsewhere}.`,
    ],
    [
      "one with Sineta's table of migrations, and none in it",
      (database) =>
        otherProgram(
          database,
          "create table schema_migrations (name text primary key, applied_at_ms integer not null) strict",
        ),
      `is another program's: ${elsewhere}.`,
    ],
  ])("%s", async ([, change, sentence]) => {
    const folder = folderWith((_, database) => change(database));
    const before = filesIn(folder);
    const ending = sentence
      .replaceAll("DATABASE", join(folder, "sineta.db"))
      .replace("FOLDER", folder);
    const expected = {
      code: "data-damaged",
      message: `The database ${join(folder, "sineta.db")} ${ending}`,
    };
    expect(await told(folder, openPresentDataFolder)).toEqual(expected);
    expect(await told(folder, openDataFolder)).toEqual(expected);
    expect(filesIn(folder)).toEqual(before);
  });
});

describe("a first start", () => {
  test("makes the database anew after one that was killed or had no room", async () => {
    const folder = folderWith((its, database) => {
      rmSync(database);
      rmSync(join(its, "secret"));
      // What the killed one has left, at its worst.
      writeFileSync(`${database}.new`, "half of it");
      writeFileSync(`${database}.new-wal`, "the other half");
      writeFileSync(`${database}.new-journal`, "its journal");
    });
    await (await openDataFolder(folder, 1)).close();
    expect(readdirSync(folder).toSorted()).toEqual(["sineta.db"]);
    expect(statSync(join(folder, "sineta.db")).mode & 0o777).toBe(0o600);
  });
});

const set = "set SINETA_DATA to";

describe("what is no folder or no file is told", () => {
  test.for<[name: string, change: (folder: string, database: string) => void, told: string]>([
    [
      "a folder in the place of the database",
      (_, database) => {
        rmSync(database);
        mkdirSync(database);
      },
      "DATABASE is not a file: move it away.",
    ],
    [
      "a link to itself in the place of the database",
      (_, database) => {
        rmSync(database);
        symlinkSync(database, database);
      },
      "DATABASE is a link to nothing: make what it leads to, or remove the link.",
    ],
    [
      "a link to nothing in the place of the folder",
      (folder) => {
        rmSync(folder, { recursive: true });
        symlinkSync("/nowhere/data", folder);
      },
      "The data folder FOLDER is a link to nothing: make what it leads to, or remove the link.",
    ],
    [
      "a link to itself",
      (folder) => {
        rmSync(folder, { recursive: true });
        symlinkSync(folder, folder);
      },
      `The data folder FOLDER is a link that leads to itself: ${set} a folder.`,
    ],
    [
      "a file",
      (folder) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "");
      },
      `The data folder FOLDER cannot be used because it is a file: ${set} a folder.`,
    ],
  ])("%s", async ([, change, sentence]) => {
    const folder = folderWith(change);
    const message = sentence
      .replace("DATABASE", join(folder, "sineta.db"))
      .replace("FOLDER", folder);
    expect(await told(folder, openDataFolder)).toEqual({ code: "data-unwritable", message });
    expect(await told(folder, openPresentDataFolder)).toEqual({
      code: "data-unwritable",
      message,
    });
  });

  test("a file in the place of a folder above", async () => {
    const file = join(top, "a.txt");
    writeFileSync(file, "");
    const folder = join(file, "x", "data");
    for (const open of [openDataFolder, openPresentDataFolder]) {
      expect(await told(folder, open)).toEqual({
        code: "data-unwritable",
        message: `The data folder ${folder} cannot be used because ${file} is a file: ${set} a folder.`,
      });
    }
  });

  test("a name that is too long, and one where no folder can be made", async () => {
    const long = join(top, "x".repeat(300));
    for (const open of [openDataFolder, openPresentDataFolder]) {
      expect(await told(long, open)).toEqual({
        code: "data-unwritable",
        message: `The data folder ${long} has too long a name: ${set} a shorter one.`,
      });
    }
    expect((await told("/proc/sineta", openDataFolder)).message).toBe(
      `The data folder /proc/sineta cannot be made: ${set} another folder.`,
    );
  });
});

test("too many open files, however many are left for the database", async () => {
  const child = fileURLToPath(new URL("test/few-files-child.ts", import.meta.url));
  const script = 'ulimit -n 100 && exec "$0" "$@"';
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    script,
    process.execPath,
    child,
    folderWith(() => undefined),
    "9",
  ]);
  const said: (string | null)[] = JSON.parse(stdout);
  const refusals = said.filter((each) => each !== null);
  expect(refusals.length).toBeGreaterThan(2);
  expect(refusals.length).toBeLessThan(said.length);
  for (const each of refusals) expect(each).toMatch(/too many files are open: raise the limit/);
});

describe("what has no cause that a test can bring about", () => {
  const folder = "/data";
  test.for<[error: object, code: string, sentence: RegExp]>([
    [{ errcode: 5 }, "data-in-use", /^Another program holds the database \/.*\/sineta.db: /],
    [{ errcode: 517 }, "data-in-use", /^Another program holds/],
    [{ errcode: 266 }, "data-unwritable", /sound\/sineta.db cannot be .* its disk fails \(EIO\): /],
    [{ errcode: 3850 }, "data-unwritable", /files cannot be locked, such as a network share: /],
    [{ errcode: 7 }, "data-unwritable", /memory is used up: /],
    [{ errcode: 13 }, "data-full", /^The disk of the data folder is full, /],
    [{ errcode: 267 }, "data-damaged", /is damaged \(why\): /],
    [
      { code: "EROFS", path: "/data" },
      "data-unwritable",
      /^The data folder \/data is on .* read-only: /,
    ],
    [
      { code: "EMFILE", path: "/data/secret" },
      "data-unwritable",
      /^\/data\/secret .* too many files /,
    ],
    [{ code: "ESTALE", path: "/data/secret" }, "data-unwritable", /its disk fails \(ESTALE\): /],
    [
      { code: "EDQUOT", path: "/data/secret" },
      "data-full",
      /^The disk of the data folder is full, /,
    ],
  ])("%j", ([properties, code, sentence]) => {
    const error = Object.assign(new Error("why"), properties);
    expect(dataError("errcode" in error ? sound : folder, error)).toMatchObject({
      code,
      message: expect.stringMatching(sentence),
      cause: error,
    });
  });

  test("another fault is nobody's", () => {
    for (const properties of [
      {},
      { errcode: 275 },
      { code: "ECONNREFUSED", syscall: "connect" },
      { code: "ENOENT", path: "/elsewhere/file" },
      { code: "ENOENT", path: "/data-of-another" },
    ]) {
      expect(dataError(folder, Object.assign(new Error("why"), properties))).toBeNull();
    }
    expect(dataError(folder, "why")).toBeNull();
  });
});

test.runIf(isRoot)("the folder of another user is called that", async () => {
  const its = (folder: string) => [folder, join(folder, "sineta.db"), join(folder, "secret")];
  const give = (paths: string[]) => paths.forEach((path) => chownSync(path, nobodyId, nobodyId));
  const run = "(permission denied): run Sineta as that user.";
  const toOwner = "(permission denied): give it to the owner of the data folder.";
  const other = "belongs to another user, the one with the uid 0";
  const mode = "does not let its owner in (permission denied): run chmod u+rwX on it.";
  const cases: [folder: string, sentence: string][] = [
    [folderWith((folder) => chmodSync(folder, 0o700)), `The data folder FOLDER ${other} ${run}`],
    [folderWith((folder) => chmodSync(folder, 0o755)), `The data folder FOLDER ${other} ${run}`],
    [
      join(
        folderWith((folder) => chmodSync(folder, 0o700)),
        "below",
      ),
      `${join(top, `data-${made}`)} ${other} ${run}`,
    ],
    [folderWith((folder) => give([folder])), `FOLDER/sineta.db ${other} ${toOwner}`],
    [
      folderWith((folder) => {
        give([folder]);
        chmodSync(join(folder, "sineta.db"), 0o644);
      }),
      `FOLDER/sineta.db ${other} ${toOwner}`,
    ],
    [
      folderWith((folder) => {
        give(its(folder));
        writeFileSync(join(folder, "sineta.db-wal"), "", { mode: 0o600 });
      }),
      `FOLDER/sineta.db-wal ${other} ${toOwner}`,
    ],
    [
      folderWith((folder) => {
        give(its(folder));
        chmodSync(folder, 0o500);
      }),
      `The data folder FOLDER ${mode}`,
    ],
    [
      folderWith((folder) => {
        give(its(folder));
        chmodSync(join(folder, "sineta.db"), 0o400);
      }),
      `FOLDER/sineta.db ${mode}`,
    ],
  ];
  const folderOf = ([folder]: [string, string]) => folder;
  const sentences = cases.map(([folder, sentence]) => sentence.replace("FOLDER", folder));
  for (const way of ["open", "serve"]) {
    expect(await asNobody(way, cases.map(folderOf))).toEqual(sentences);
  }

  const withLock = folderWith((folder) => {
    give(its(folder));
    writeFileSync(join(folder, "serve.lock"), "", { mode: 0o644 });
  });
  expect(await asNobody("lock", [withLock])).toEqual([
    `${withLock}/serve.lock ${other} ${toOwner}`,
  ]);

  const missing = join(top, "missing");
  expect(await asNobody("serve", [missing])).toEqual([
    `${top} ${other} (permission denied): make ${missing} and give it to the user that runs Sineta.`,
  ]);
});

test.runIf(isRoot)("what root makes in another user's folder belongs to that user", async () => {
  const folder = join(top, "of-nobody");
  mkdirSync(folder);
  chownSync(folder, nobodyId, nobodyId);
  await makeData(folder);
  takeServeLock(folder)();
  promoteNextSecret(folder, writeNextSecret(folder, randomBytes));
  for (const name of ["sineta.db", "secret", "serve.lock"]) {
    expect([name, statSync(join(folder, name)).uid]).toEqual([name, nobodyId]);
  }
});

async function asNobody(way: string, folders: string[]): Promise<unknown[]> {
  const child = startScript(new URL("test/as-nobody-child.ts", import.meta.url), [way, ...folders]);
  const { stdout, stderr } = await child.ended;
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}
