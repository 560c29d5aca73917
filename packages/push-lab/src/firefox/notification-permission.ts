import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Firefox brings an older database up to its own schema, and lives with a newer one. */
const schemaVersion = 12;
const schema = `
  create table moz_perms (id INTEGER PRIMARY KEY, origin TEXT, type TEXT, permission INTEGER, expireType INTEGER,
    expireTime INTEGER, modificationTime INTEGER);
  pragma user_version = ${schemaVersion};`;

const notifications = "desktop-notification";
const allowed = 1;
const neverExpires = 0;

/**
 * Writes into a Firefox profile that these origins may show notifications, as if the visitor had allowed it. Call it while
 * the browser is not running. Rejects where the profile's `permissions.sqlite` is no such database, and leaves it as it is.
 *
 * @param profile what the browser is started with as `--profile` (puppeteer's `userDataDir`); made if it is not there
 * @param origins such as `http://127.0.0.1:8080`
 */
export async function allowNotificationsInFirefox(
  profile: string,
  origins: readonly string[],
): Promise<void> {
  await mkdir(profile, { recursive: true });
  const database = new DatabaseSync(join(profile, "permissions.sqlite"));
  try {
    database.exec("begin immediate");
    const isNew = database.prepare("select 1 from sqlite_master").get() === undefined;
    if (isNew) database.exec(schema);
    const remove = database.prepare("delete from moz_perms where origin = ? and type = ?");
    const insert = database.prepare(
      `insert into moz_perms (origin, type, permission, expireType, expireTime, modificationTime)
       values (?, ?, ?, ?, 0, ?)`,
    );
    for (const origin of origins) {
      remove.run(origin, notifications);
      insert.run(origin, notifications, allowed, neverExpires, Date.now());
    }
    database.exec("commit");
  } finally {
    database.close();
  }
}
