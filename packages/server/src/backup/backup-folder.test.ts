import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { placeIn, removeOldest } from "./backup-folder.ts";

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
  const { file, part } = placeIn(folder, Date.UTC(2026, 10, 29, 17, 10, 0, 123));
  expect(file).toBe(join(folder, "sineta-20261129T171000Z.db"));
  expect(part).toBe(join(folder, "sineta.db.part"));
});

test("the oldest go, and other files stay", () => {
  const others = ["sineta.db", "my-sineta-20261101T171000Z.db", "sineta-20261101T171000Z.db.old"];
  make(nameOn("04"), nameOn("02"), nameOn("01"), nameOn("03"), ...others);
  const removed = removeOldest(folder, join(folder, nameOn("04")), 2);
  expect(removed).toEqual([join(folder, nameOn("01")), join(folder, nameOn("02"))]);
  expect(readdirSync(folder).toSorted()).toEqual(
    [nameOn("03"), nameOn("04"), ...others].toSorted(),
  );
});

test("none goes while no more are there than are kept", () => {
  make(nameOn("01"), nameOn("02"));
  expect(removeOldest(folder, join(folder, nameOn("02")), 2)).toEqual([]);
  expect(removeOldest(folder, join(folder, nameOn("02")), 9)).toEqual([]);
});

test("the newest stays where the clock was put back", () => {
  make(nameOn("01"), nameOn("08"), nameOn("09"));
  removeOldest(folder, join(folder, nameOn("01")), 1);
  expect(readdirSync(folder)).toEqual([nameOn("01")]);
});
