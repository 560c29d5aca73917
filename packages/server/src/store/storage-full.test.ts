import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { isStorageFull } from "./storage-full.ts";

test("a database without room to grow is full, other failures are not", () => {
  const folder = mkdtempSync(join(tmpdir(), "sineta-full-"));
  const database = new DatabaseSync(join(folder, "test.db"));
  const failureOf = (sql: string): unknown => {
    try {
      database.exec(sql);
    } catch (error) {
      return error;
    }
    throw new Error(`${sql} did not fail`);
  };
  database.exec("create table a (x unique); insert into a values (1); pragma max_page_count = 10");
  expect(isStorageFull(failureOf("insert into a values (zeroblob(1000000))"))).toBe(true);
  expect(isStorageFull(failureOf("insert into a values (1)"))).toBe(false);
  expect(isStorageFull(failureOf("insert into nothing values (1)"))).toBe(false);
  database.close();
  rmSync(folder, { recursive: true });
  expect(isStorageFull(new Error("database or disk is full"))).toBe(false);
  expect(isStorageFull({ errcode: 13 })).toBe(false);
  expect(isStorageFull(undefined)).toBe(false);
});

test.skipIf(!existsSync("/dev/full"))("a file without room to grow is full, too", () => {
  const full = openSync("/dev/full", "w");
  const failureOf = (action: () => unknown): unknown => {
    try {
      return action();
    } catch (error) {
      return error;
    }
  };
  expect(isStorageFull(failureOf(() => writeSync(full, "x")))).toBe(true);
  expect(isStorageFull(failureOf(() => openSync("/dev/full/x", "w")))).toBe(false);
  closeSync(full);
});
