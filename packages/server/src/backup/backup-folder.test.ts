import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileIn, removeOldest } from "./backup-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-backups-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nameOn = (day: string) => `sineta-202611${day}T171000Z.db`;
function make(...names: string[]): void {
  for (const name of names) writeFileSync(join(folder, name), "");
}

test("a back-up is named by its time in UTC", () => {
  const file = fileIn(folder, Date.UTC(2026, 10, 29, 17, 10, 0, 123));
  expect(file).toBe(join(folder, "sineta-20261129T171000Z.db"));
});

test("the oldest go, and other files stay", () => {
  const others = ["sineta.db", "my-sineta-20261101T171000Z.db", "sineta-20261101T171000Z.db.old"];
  make(nameOn("04"), nameOn("02"), nameOn("01"), nameOn("03"), ...others);
  const { removed } = removeOldest(join(folder, nameOn("04")), 2);
  expect(removed).toEqual([join(folder, nameOn("01")), join(folder, nameOn("02"))]);
  expect(readdirSync(folder).toSorted()).toEqual(
    [nameOn("03"), nameOn("04"), ...others].toSorted(),
  );
});

test("none goes while no more are there than are kept", () => {
  make(nameOn("01"), nameOn("02"));
  expect(removeOldest(join(folder, nameOn("02")), 2).removed).toEqual([]);
  expect(removeOldest(join(folder, nameOn("02")), 9).removed).toEqual([]);
});

test("those of the future stay and do not count", () => {
  make(nameOn("01"), nameOn("02"), nameOn("03"), nameOn("08"), nameOn("09"));
  const { removed, future } = removeOldest(join(folder, nameOn("03")), 2);
  expect(removed).toEqual([join(folder, nameOn("01"))]);
  expect(future).toEqual([join(folder, nameOn("08")), join(folder, nameOn("09"))]);
  expect(readdirSync(folder)).toEqual([nameOn("02"), nameOn("03"), nameOn("08"), nameOn("09")]);
});

test("those with other VAPID keys stay and do not count; what cannot be read counts", () => {
  const withKeys = (day: string, ...keys: string[]) => {
    const database = new DatabaseSync(join(folder, nameOn(day)));
    database.exec("create table vapid_keys (id integer primary key, public_key text)");
    for (const key of keys) database.prepare("insert into vapid_keys values (null, ?)").run(key);
    database.close();
  };
  withKeys("01", "another");
  withKeys("02", "first");
  withKeys("03");
  make(nameOn("04"));
  withKeys("05", "another", "first");
  withKeys("06", "first");
  withKeys("07", "first", "another");
  const { removed, others } = removeOldest(join(folder, nameOn("07")), 2);
  const paths = (...days: string[]) => days.map((day) => join(folder, nameOn(day)));
  expect(removed).toEqual(paths("02", "03", "04"));
  expect(others).toEqual(paths("01", "05"));
  withKeys("08");
  expect(removeOldest(join(folder, nameOn("08")), 1)).toMatchObject({
    removed: [],
    others: paths("01", "05", "06", "07"),
  });
});

test("a folder and a link of such a name stay and do not count", () => {
  mkdirSync(join(folder, nameOn("01")));
  symlinkSync("elsewhere", join(folder, nameOn("02")));
  make(nameOn("03"), nameOn("04"));
  expect(removeOldest(join(folder, nameOn("04")), 2)).toEqual({
    removed: [],
    future: [],
    others: [],
    refused: null,
  });
});

test("reports an old back-up that the disk keeps, and removes the next one", () => {
  make(nameOn("01"), nameOn("02"), nameOn("03"));
  const remove = (path: string) => {
    if (path.includes("01T")) throw Object.assign(new Error("refused"), { code: "EPERM" });
    rmSync(path);
  };
  const { removed, refused } = removeOldest(join(folder, nameOn("03")), 1, remove);
  expect(removed).toEqual([join(folder, nameOn("02"))]);
  expect(refused).toMatchObject({
    code: "backup-unremovable",
    message: expect.stringMatching(
      /03T171000Z\.db is whole, but \S+01T171000Z\.db cannot be removed/,
    ),
  });
});
