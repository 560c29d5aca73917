import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterEach, beforeEach, expect, test } from "vitest";

import { allowNotificationsInFirefox } from "./notification-permission.ts";

let profile: string;
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), "push-lab-profile-"));
});
afterEach(() => rm(profile, { recursive: true }));

const path = () => join(profile, "permissions.sqlite");
const permissions = (): unknown[] => {
  const database = new DatabaseSync(path(), { readOnly: true });
  try {
    return database
      .prepare("select origin, type, permission, expireType from moz_perms order by id")
      .all()
      .map((row) => Object.values(row));
  } finally {
    database.close();
  }
};

test("a fresh profile gets the permission, for good", async () => {
  await allowNotificationsInFirefox(join(profile, "not", "there"), []);
  await allowNotificationsInFirefox(profile, ["http://127.0.0.1:8080", "https://b.example"]);
  expect(permissions()).toEqual([
    ["http://127.0.0.1:8080", "desktop-notification", 1, 0],
    ["https://b.example", "desktop-notification", 1, 0],
  ]);
});

test("what a used profile holds stays, but for what was decided about these origins", async () => {
  await allowNotificationsInFirefox(profile, ["https://a.example", "https://b.example"]);
  const database = new DatabaseSync(path());
  database.exec("update moz_perms set permission = 2");
  database.exec(
    "insert into moz_perms (origin, type, permission) values ('https://b.example', 'geo', 2)",
  );
  database.close();
  await allowNotificationsInFirefox(profile, ["https://b.example"]);
  expect(permissions()).toEqual([
    ["https://a.example", "desktop-notification", 2, 0],
    ["https://b.example", "geo", 2, null],
    ["https://b.example", "desktop-notification", 1, 0],
  ]);
});

test("a file that is no database is left as it is", async () => {
  await writeFile(
    path(),
    "no database, but long enough to look for the header of one in it".repeat(10),
  );
  const before = await readFile(path());
  await expect(allowNotificationsInFirefox(profile, ["https://b.example"])).rejects.toThrow(
    "not a database",
  );
  expect(await readFile(path())).toEqual(before);
});

test("a database of something else is left as it is", async () => {
  const database = new DatabaseSync(path());
  database.exec("create table other (id integer)");
  database.close();
  const before = await readFile(path());
  await expect(allowNotificationsInFirefox(profile, ["https://b.example"])).rejects.toThrow(
    "moz_perms",
  );
  expect(await readFile(path())).toEqual(before);
});
