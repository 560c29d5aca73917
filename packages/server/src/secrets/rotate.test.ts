import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import { takeServeLock } from "../serve-lock.ts";
import type { Store } from "../store/port.ts";
import { makeData } from "../test/make-data.ts";
import { testPlaces } from "../test/places.ts";
import { startScript } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";
import { rotateSecret } from "./rotate.ts";
import { secretPath } from "./secret-file.ts";

const asker = { actor: { kind: "command-line", name: "test" }, address: null } as const;
const [first, second] = ["first secret ".repeat(3).trim(), "second secret ".repeat(3).trim()];

let folder: string;
let givenFolder: string;
let store: Store;
beforeEach(async () => {
  givenFolder = mkdtempSync(join(tmpdir(), "sineta-given-"));
  folder = mkdtempSync(join(tmpdir(), "sineta-rotate-"));
  store = await openDataFolder(folder, 0);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
  rmSync(givenFolder, { recursive: true });
});

/** What a test gives as a secret: a text, or a file with it. */
type Given = string | { path: string };
const givenAs = <Text extends string, File extends string>(
  given: Given | undefined,
  [text, file]: [Text, File],
) => {
  if (given === undefined) return null;
  return typeof given === "string"
    ? { variable: text, text: given }
    : { variable: file, path: given.path };
};
const asSecret = (given: Given | undefined) =>
  givenAs(given, ["SINETA_SECRET", "SINETA_SECRET_FILE"]);
const asOldSecret = (given: Given | undefined) =>
  givenAs(given, ["SINETA_OLD_SECRET", "SINETA_OLD_SECRET_FILE"]);
const secretInFile = (text: string) => {
  const path = join(givenFolder, "given");
  writeFileSync(path, `${text}\n`);
  return { path };
};

const open = (secret?: Given) =>
  openDefaultProject({
    store,
    dataFolder: folder,
    secret: asSecret(secret),
    randomBytes,
    nowMs: 1,
  });
const rotate = (secrets: { secret?: Given; oldSecret?: Given } = {}, own = store) =>
  rotateSecret({
    store: own.sealed,
    dataFolder: folder,
    secret: asSecret(secrets.secret),
    oldSecret: asOldSecret(secrets.oldSecret),
    asker,
    randomBytes,
    nowMs: 7,
  });
const fileOf = () => readFileSync(secretPath(folder), "utf8");
const sealed = async () => (await store.sealed.all()).map((one) => Buffer.from(one.sealed));
const unusable = (message: RegExp) => ({
  code: "secret-unusable",
  message: expect.stringMatching(message),
});

describe("changing the secret", () => {
  test("from file to file: all is sealed anew, and stays what it is", async () => {
    const before = await open();
    const [file, was] = [fileOf(), await sealed()];
    expect(await rotate()).toBe(3);
    expect(fileOf()).not.toBe(file);
    expect(statSync(secretPath(folder)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${secretPath(folder)}.next`)).toBe(false);
    for (const one of await sealed()) expect(was.some((old) => old.equals(one))).toBe(false);
    expect(await open()).toEqual(before);
    expect(await store.audit.list([null], { limit: 9 })).toEqual([
      {
        ...asker,
        id: 1,
        atMs: 7,
        projectId: null,
        action: "secret.rotated",
        subject: "file",
        change: { sealed: 3 },
      },
    ]);
  });

  test("from the file to a variable, to another one, and back to a file", async () => {
    const before = await open();
    await rotate({ secret: first });
    expect(existsSync(secretPath(folder))).toBe(false);
    expect(await open(first)).toEqual(before);
    await rotate({ secret: second, oldSecret: first });
    await expect(open(first)).rejects.toMatchObject(unusable(/^SINETA_SECRET does not fit/));
    expect(await open(second)).toEqual(before);
    // Again, as somebody does who does not know how it ended.
    expect(await rotate({ secret: second, oldSecret: first })).toBe(0);
    expect(await rotate({ secret: second })).toBe(0);
    await rotate({ oldSecret: second });
    expect(await open()).toEqual(before);
    await expect(open(second)).rejects.toMatchObject(unusable(/^SINETA_SECRET does not fit/));
  });

  test("a server whose keys have never been in a file needs none", async () => {
    const before = await open(first);
    expect(existsSync(secretPath(folder))).toBe(false);
    expect(await open(first)).toEqual(before);
    await expect(open()).rejects.toMatchObject(unusable(/is missing/));
  });

  test("a file that a setting names holds the same secret as the setting with its text", async () => {
    const before = await open(first);
    expect(await open(secretInFile(first))).toEqual(before);
    expect(await rotate({ secret: second, oldSecret: secretInFile(first) })).toBe(3);
    expect(await open(secretInFile(second))).toEqual(before);
    expect(existsSync(secretPath(folder))).toBe(false);
    await expect(open(secretInFile(first))).rejects.toMatchObject(
      unusable(/^SINETA_SECRET_FILE does not fit the stored keys: put .+ into .+given, or change/),
    );
  });

  test("keeps the data folder's secret where a setting names that very file", async () => {
    const before = await open();
    const file = fileOf();
    await expect(rotate({ secret: { path: secretPath(folder) } })).rejects.toMatchObject({
      code: "setting-invalid",
    });
    expect(fileOf()).toBe(file);
    expect(await open()).toEqual(before);
  });

  test("refuses the old secret as the new one, also in a file", async () => {
    await open(first);
    const was = await sealed();
    const same = { secret: secretInFile(first), oldSecret: first };
    await expect(rotate(same)).rejects.toMatchObject(
      unusable(/^SINETA_SECRET_FILE is the same as SINETA_OLD_SECRET/),
    );
    expect(await sealed()).toEqual(was);
  });

  test("changes nothing where the old secret is another one, is missing, or is the new one", async () => {
    await open(first);
    const was = await sealed();
    await expect(rotate({ secret: second })).rejects.toMatchObject(unusable(/SINETA_OLD_SECRET/));
    await expect(rotate({ secret: first, oldSecret: first })).rejects.toMatchObject(
      unusable(/the same/),
    );
    const another = "another one that nobody can guess, either";
    await expect(rotate({ secret: another, oldSecret: second })).rejects.toMatchObject(
      unusable(/^SINETA_OLD_SECRET does not fit/),
    );
    await expect(rotate()).rejects.toMatchObject(unusable(/is missing/));
    expect(await sealed()).toEqual(was);
    expect(existsSync(`${secretPath(folder)}.next`)).toBe(false);
    expect(await store.audit.list([null], { limit: 9 })).toEqual([]);
  });

  test("changes nothing where something was sealed meanwhile", async () => {
    await open();
    const was = await sealed();
    const disturbed: Store = {
      ...store,
      sealed: {
        all: async () => (await store.sealed.all()).slice(1),
        replace: (...changes) => store.sealed.replace(...changes),
      },
    };
    await expect(rotate({}, disturbed)).rejects.toMatchObject(unusable(/meanwhile/));
    expect(await sealed()).toEqual(was);
    await open();
  });

  test.for(["before", "after"])("killed %s all was stored, everything opens", async (moment) => {
    const before = await open();
    const file = fileOf();
    const script = new URL("../test/rotate-child.ts", import.meta.url);
    const child = startScript(script, [folder, moment]);
    expect((await child.ended).status).toBeNull();
    expect(existsSync(`${secretPath(folder)}.next`)).toBe(true);
    expect(await open()).toEqual(before);
    // What was not needed is written over by the next one.
    expect(fileOf() === file).toBe(moment === "before");
    await rotate();
    expect(await open()).toEqual(before);
  });
});

describe("sineta secrets rotate", () => {
  test("does so, but not while a server runs", async () => {
    const bench = testPlaces();
    const sineta = (words: string[]) => runCommand(words, bench);
    try {
      await makeData(bench.dataFolder);
      const { out: keys } = await sineta(["keys"]);
      const release = takeServeLock(bench.dataFolder);
      expect(await sineta(["secrets", "rotate"])).toMatchObject({
        status: 1,
        out: "",
        err: expect.stringMatching(/stop the other one|stop/),
      });
      release();
      expect(await sineta(["secrets", "rotate"])).toEqual({
        status: 0,
        out: "3 secrets are sealed anew.\n",
        err: "",
      });
      expect((await sineta(["keys"])).out).toBe(keys);
      expect(await sineta(["secrets"])).toMatchObject({ status: 2, out: "" });
    } finally {
      rmSync(bench.folder, { recursive: true });
    }
  });
});
