import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPresentDataFolder } from "./data-folder.ts";
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
