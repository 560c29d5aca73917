import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDataFolder, openPresentDataFolder } from "./data-folder.ts";
import { takeServeLock } from "./serve-lock.ts";
import { openDatabase } from "./store/sqlite/connection.ts";
import { migrate } from "./store/sqlite/migrate.ts";
import { migrations } from "./store/sqlite/migrations/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-data-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The migrations that the folder's database has had. */
function applied(): number {
  const database = new DatabaseSync(join(folder, "sineta.db"));
  const count = database.prepare("select count(*) as count from schema_migrations").get()?.[
    "count"
  ];
  database.close();
  return Number(count);
}

test("under a server of an earlier version nothing is brought up to date; without it, it is", async () => {
  const database = new DatabaseSync(join(folder, "sineta.db"));
  migrate(database, 1, migrations.slice(0, 1));
  database.close();
  const stop = takeServeLock(folder);
  await expect(openPresentDataFolder(folder, 2)).rejects.toMatchObject({ code: "server-outdated" });
  expect(applied()).toBe(1);
  stop();
  await (await openPresentDataFolder(folder, 3)).close();
  expect(applied()).toBe(migrations.length);
});

test("after a step back over a migration, command and server name the version to run, and change nothing", async () => {
  const file = join(folder, "sineta.db");
  const database = openDatabase(file);
  const later = { name: "9999-later", sql: "create table later (x integer) strict" };
  migrate(database, 1, [...migrations, later], "7.0.0");
  database.close();
  const before = readFileSync(file);
  const told = {
    code: "data-too-new",
    message: expect.stringContaining("was written by Sineta 7.0.0"),
  };
  await expect(openPresentDataFolder(folder, 2)).rejects.toMatchObject(told);
  await expect(openDataFolder(folder, 3)).rejects.toMatchObject(told);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("after a step back without a migration between, everything works", async () => {
  const database = openDatabase(join(folder, "sineta.db"));
  migrate(database, 1, migrations, "7.0.0");
  database.close();
  const store = await openDataFolder(folder, 2);
  await expect(store.check()).resolves.toBe(undefined);
  await store.close();
});

test("under a server of this version a command works", async () => {
  const database = openDatabase(join(folder, "sineta.db"));
  migrate(database, 1);
  database.close();
  const stop = takeServeLock(folder);
  const store = await openPresentDataFolder(folder, 2);
  await expect(store.check()).resolves.toBe(undefined);
  await store.close();
  stop();
});
