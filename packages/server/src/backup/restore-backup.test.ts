import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder } from "../data-folder.ts";
import type { GivenSecret } from "../secrets/given-secret.ts";
import { secretPath } from "../secrets/secret-file.ts";
import { sealingKey } from "../secrets/vault.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { takeServeLock } from "../serve-lock.ts";
import { migrations } from "../store/sqlite/migrations/index.ts";
import { writeLabel } from "./label.ts";
import { restoreBackup } from "./restore-backup.ts";
import {
  backedUpMs,
  backupScene,
  filesIn,
  isSound,
  removeChecksum,
  rowsBesideHold,
  rowsOf,
  thawData,
  type BackupScene,
} from "./testing/scene.ts";

const good = "correct horse battery staple";
const fingerprint = "5ee05a36";

let bench: BackupScene;
let source: string;
let medium: string;
let file: string;
beforeEach(async () => {
  bench = await backupScene();
  ({ source, medium, file } = bench);
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

type Given = { secret?: GivenSecret; passphrase?: string; answers?: string[] };
function restore({ secret, passphrase, answers = [] }: Given = {}) {
  const terminal = { askHidden: async () => answers.shift() ?? null, err: () => undefined };
  return restoreBackup({
    file,
    dataFolder: bench.dataFolder,
    secret: secret ?? null,
    passphrase: passphrase ?? null,
    terminal,
  });
}
const inFolder = () => Object.keys(filesIn(bench.dataFolder));
const database = () => join(bench.dataFolder, "sineta.db");
const putSecret = () => {
  mkdirSync(bench.dataFolder, { recursive: true });
  copyFileSync(secretPath(source), secretPath(bench.dataFolder));
};

describe("a restored back-up", () => {
  test("has all rows of its source and the hold, and no label", async () => {
    await bench.backUp(good);
    const restored = await restore({ passphrase: good });
    expect(rowsBesideHold(database())).toEqual(rowsBesideHold(join(source, "sineta.db")));
    expect(rowsOf(database())["delivery_hold"]).toEqual([
      { reason: "restored", since_ms: backedUpMs },
    ]);
    // Where the checksum was.
    expect(readFileSync(database()).readUInt32BE(68)).toBe(0);
    expect(restored).toMatchObject({
      registrations: 49,
      messages: 7,
      label: { createdAtMs: backedUpMs },
      secret: { kind: "sealed" },
    });
    expect(isSound(database())).toBe(true);
  });

  test("brings its secret for the owner of the folder alone, and opens with it", async () => {
    await bench.backUp(good);
    await restore({ answers: ["wrong", good] });
    expect(inFolder()).toEqual(["secret", "serve.lock", "sineta.db"]);
    expect(readFileSync(secretPath(bench.dataFolder), "utf8").trim()).toBe(
      readFileSync(secretPath(source), "utf8").trim(),
    );
    for (const name of inFolder()) {
      expect(statSync(join(bench.dataFolder, name)).mode & 0o777).toBe(0o600);
    }
  });

  test("keeps no byte of the sealed secret", async () => {
    await bench.backUp(good);
    const [label] = rowsOf(file)["backup"] ?? [];
    const sealed = Buffer.from(label?.["sealed_secret"] as Uint8Array);
    expect(readFileSync(file).includes(sealed)).toBe(true);
    await restore({ passphrase: good });
    expect(readFileSync(database()).includes(sealed.subarray(20, 36))).toBe(false);
  });

  test.runIf(process.getuid?.() === 0)("belongs to the owner of the folder", async () => {
    await bench.backUp(good);
    mkdirSync(bench.dataFolder);
    const nobodyId = 65_534;
    chownSync(bench.dataFolder, nobodyId, nobodyId);
    await restore({ passphrase: good });
    const owners = inFolder().map((name) => statSync(join(bench.dataFolder, name)).uid);
    expect(owners).toEqual([nobodyId, nobodyId, nobodyId]);
  });

  test("may have an older schema, which the start of the server brings up to date", async () => {
    rmSync(source, { recursive: true });
    thawData(source);
    copyFileSync(join(source, "sineta.db"), file);
    const older = new DatabaseSync(file);
    older.exec("pragma journal_mode = delete");
    writeLabel(older, {
      version: "0.0.1",
      createdAtMs: 3,
      secretFingerprint: fingerprint,
      sealedSecret: null,
    });
    older.close();
    putSecret();
    expect((await restore()).registrations).toBe(49);
    expect(rowsOf(database())["schema_migrations"]).toHaveLength(13);
    await (await openDataFolder(bench.dataFolder, 9)).close();
    expect(rowsOf(database())["schema_migrations"]).toHaveLength(migrations.length);
  });

  test("takes the place of what a killed restore has left", async () => {
    await bench.backUp(good);
    mkdirSync(bench.dataFolder);
    for (const name of ["sineta.db.part", "sineta.db.part-journal", "secret.part", "serve.lock"]) {
      writeFileSync(join(bench.dataFolder, name), "");
    }
    await restore({ passphrase: good });
    expect(inFolder()).toEqual(["secret", "serve.lock", "sineta.db"]);
    expect(isSound(database())).toBe(true);
  });

  test("holds nothing of a log that lies beside the part", async () => {
    await bench.backUp(good);
    mkdirSync(bench.dataFolder);
    const other = join(bench.folder, "other.db");
    copyFileSync(file, other);
    const writer = new DatabaseSync(other);
    writer.exec("pragma journal_mode = wal; update projects set name = 'other'");
    const log = join(bench.dataFolder, "sineta.db.part-wal");
    copyFileSync(`${other}-wal`, log);
    writer.close();
    await restore({ passphrase: good });
    expect(inFolder()).toEqual(["secret", "serve.lock", "sineta.db"]);
    expect(rowsOf(database())["projects"]).toEqual(rowsOf(join(source, "sineta.db"))["projects"]);
  });

  test("leaves the file and its folder as they were", async () => {
    await bench.backUp(good);
    const before = filesIn(medium);
    const { mtimeMs } = statSync(file);
    chmodSync(file, 0o400);
    chmodSync(medium, 0o500);
    await restore({ passphrase: good });
    expect(filesIn(medium)).toEqual(before);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    chmodSync(medium, 0o700);
  });
});

describe("the secret", () => {
  const other = Buffer.alloc(32, 9).toString("base64url");

  test("that is there or set already is taken, without a passphrase and without a file", async () => {
    await bench.backUp(good);
    putSecret();
    expect(await restore()).toMatchObject({ secret: { kind: "there" } });
    expect(inFolder()).toEqual(["secret", "serve.lock", "sineta.db"]);
  });

  test("that is set is compared, and no file is written", async () => {
    const text = "a secret of more than 32 characters";
    const label = fingerprintOf(sealingKey(text));
    const path = join(bench.folder, "given");
    writeFileSync(path, `${text}\n`);
    await bench.backUp(null);
    removeChecksum(file);
    const changed = new DatabaseSync(file);
    changed.prepare("update backup set secret_fingerprint = ?").run(label);
    changed.close();
    const secret: GivenSecret = { variable: "SINETA_SECRET_FILE", path };
    await restore({ secret });
    expect(inFolder()).toEqual(["serve.lock", "sineta.db"]);
  });

  test.for<[name: string, given: Given, says: RegExp]>([
    [
      "is nowhere",
      {},
      /secret whose fingerprint is 5ee05a36, which is not in it: .* subscribe again\.$/,
    ],
    [
      "that is set is another one",
      { secret: { variable: "SINETA_SECRET", text: "x".repeat(40) } },
      /fingerprint is 5ee05a36, but SINETA_SECRET is the secret with [0-9a-f]{8}: give the secret with that fingerprint in SINETA_SECRET\.$/,
    ],
  ])("that %s: nothing is written", async ([, given, says]) => {
    await bench.backUp(null);
    await expect(restore(given)).rejects.toMatchObject({
      code: "secret-unusable",
      message: expect.stringMatching(says),
    });
    expect(() => inFolder()).toThrow("ENOENT");
  });

  test("of a data folder's file that is set is told as that", async () => {
    await bench.backUp(null);
    const text = readFileSync(secretPath(source), "utf8").trim();
    await expect(restore({ secret: { variable: "SINETA_SECRET", text } })).rejects.toMatchObject({
      code: "secret-unusable",
      message: expect.stringMatching(/so put it at \S+secret and leave SINETA_SECRET out\.$/),
    });
  });

  test("that is set is another one than that in the back-up: says how to get at it", async () => {
    await bench.backUp(good);
    const secret: GivenSecret = { variable: "SINETA_SECRET", text: "x".repeat(40) };
    await expect(restore({ secret, passphrase: good })).rejects.toMatchObject({
      code: "secret-unusable",
      message: expect.stringMatching(
        /leave SINETA_SECRET out, .*: restore, then put SINETA_SECRET back and call sineta secrets rotate\.$/,
      ),
    });
  });

  test("in the folder that is another one stays", async () => {
    await bench.backUp(good);
    mkdirSync(bench.dataFolder);
    writeFileSync(secretPath(bench.dataFolder), other);
    const before = filesIn(bench.dataFolder);
    await expect(restore({ passphrase: good })).rejects.toMatchObject({
      code: "secret-unusable",
      message: expect.stringContaining("move it away"),
    });
    expect(filesIn(bench.dataFolder)).toEqual(before);
  });

  test("under another passphrase stays closed, and nothing is written", async () => {
    await bench.backUp(good);
    const refusals: Given[] = [{ passphrase: "another" }, { answers: ["a", "b", "c", good] }, {}];
    for (const given of refusals) {
      await expect(restore(given)).rejects.toMatchObject({ code: "passphrase-unusable" });
    }
    expect(() => inFolder()).toThrow("ENOENT");
  });

  test("is asked for while the file changes: no database is made of what was not checked", async () => {
    await bench.backUp(good);
    const askHidden = async () => {
      const changed = readFileSync(file);
      const at = changed.lastIndexOf("https://");
      writeFileSync(file, changed.fill("H", at, at + 1));
      return good;
    };
    const terminal = { askHidden, err: () => undefined };
    const parts = { file, dataFolder: bench.dataFolder, secret: null, passphrase: null, terminal };
    await expect(restoreBackup(parts)).rejects.toMatchObject({ code: "backup-damaged" });
    expect(inFolder()).not.toContain("sineta.db");
  });
});

describe("a folder that is not empty stays as it is", () => {
  test.for(["sineta.db", "sineta.db-wal", "sineta.db-journal", "secret.next", "photo.jpg"])(
    "with %s",
    async (name) => {
      await bench.backUp(good);
      mkdirSync(bench.dataFolder);
      writeFileSync(join(bench.dataFolder, name), "precious");
      const before = filesIn(bench.dataFolder);
      await expect(restore({ passphrase: good })).rejects.toMatchObject({
        code: "data-present",
        message: expect.stringContaining(`because ${name} is there`),
      });
      expect(filesIn(bench.dataFolder)).toEqual(before);
    },
  );

  test("under a server", async () => {
    await bench.backUp(good);
    mkdirSync(bench.dataFolder);
    const stop = takeServeLock(bench.dataFolder);
    await expect(restore({ passphrase: good })).rejects.toMatchObject({ code: "data-in-use" });
    stop();
    expect(inFolder().filter((name) => !name.startsWith("serve.lock"))).toEqual([]);
  });
});
