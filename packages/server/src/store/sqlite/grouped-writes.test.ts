import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { groupWrites, type GroupedWrite } from "./grouped-writes.ts";
import { migrate } from "./migrate.ts";

let database: DatabaseSync;
let connection: Connection;
let write: GroupedWrite;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
  write = groupWrites(connection, 3);
});
afterEach(() => database.close());

const add = (name: string) => (transaction: Connection) =>
  transaction
    .insertInto("projects")
    .values({ name, created_at_ms: 0 })
    .returning("name")
    .executeTakeFirstOrThrow();

const names = () =>
  database
    .prepare("select name from projects")
    .all()
    .map((row) => row["name"]);

describe("grouped writes", () => {
  test("share transactions, so many at a time, and each gets its own result", async () => {
    const began = vi.spyOn(connection, "transaction");
    const results = await Promise.all(["a", "b", "c", "d"].map((name) => write(add(name))));
    expect(results.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
    expect(names()).toEqual(["a", "b", "c", "d"]);
    expect(began).toHaveBeenCalledTimes(2);
  });

  test("those that come one by one, each time the event loop goes round, share one as well", async () => {
    write = groupWrites(connection, 3_000, () => 0);
    const began = vi.spyOn(connection, "transaction");
    const written = [write(add("a"))];
    for (const name of ["b", "c", "d"]) {
      await nextTurn();
      written.push(write(add(name)));
    }
    await Promise.all(written);
    expect(names()).toEqual(["a", "b", "c", "d"]);
    expect(began).toHaveBeenCalledTimes(1);
  });

  test("none waits for ever for those that come after it", async () => {
    let nowMs = 0;
    write = groupWrites(connection, 1_000_000, () => nowMs++);
    const first = write(add("first"));
    const later: Promise<unknown>[] = [];
    const comeOnAndOn = async () => {
      for (let turn = 0; turn < 100; turn += 1) {
        later.push(write(() => Promise.resolve()));
        await nextTurn();
      }
    };
    const others = comeOnAndOn();
    expect(await Promise.race([first.then(({ name }) => name), others])).toBe("first");
    await others;
    await Promise.all(later);
  });

  test("one that fails is undone alone", async () => {
    const failing = write(async (transaction) => {
      await add("half-made")(transaction);
      throw new Error("changed its mind");
    });
    const results = await Promise.allSettled([write(add("a")), failing, write(add("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(names()).toEqual(["a", "b"]);
  });

  test("all are done again, apart, if one fails: what they gave the first time is forgotten", async () => {
    let runs = 0;
    const counted = write(async (transaction) => {
      runs += 1;
      await add(`run ${runs}`)(transaction);
      return runs;
    });
    const failing = write(() => Promise.reject(new Error("changed its mind")));
    await expect(failing).rejects.toThrow("changed its mind");
    expect(await counted).toBe(2);
    expect(names()).toEqual(["run 2"]);
  });

  test("one that fails alone is run once, and others follow", async () => {
    const failing = vi.fn(() => Promise.reject(new Error("changed its mind")));
    await expect(write(failing)).rejects.toThrow("changed its mind");
    expect(failing).toHaveBeenCalledTimes(1);
    await write(add("a"));
    expect(names()).toEqual(["a"]);
  });

  test("are not answered before the commit; when that fails, all fail", async () => {
    database.exec("pragma foreign_keys = on");
    const deferred = write(async (transaction) => {
      await add("a")(transaction);
      // Checked at the commit: there is no project 99.
      database.exec("pragma defer_foreign_keys = on");
      await transaction
        .insertInto("vapid_keys")
        .values({
          project_id: 99,
          public_key: "k",
          sealed_private_key: Buffer.of(1),
          created_at_ms: 0,
          retired_at_ms: null,
        })
        .execute();
    });
    const results = await Promise.allSettled([deferred, write(add("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(names()).toEqual([]);
    await write(add("c"));
    expect(names()).toEqual(["c"]);
  });

  test("when the disk is full, all fail with that as the cause", async () => {
    database.exec("create table large (x); pragma max_page_count = 100");
    // SQLite then rolls back the whole transaction by itself (SQLite documentation, "BEGIN TRANSACTION", section 3).
    const fill = (transaction: Connection) =>
      sql`insert into large values (zeroblob(1000000))`.execute(transaction);
    const results = await Promise.allSettled([write(add("a")), write(fill), write(add("b"))]);
    const full = { status: "rejected", reason: expect.objectContaining({ errcode: 13 }) };
    expect(results).toEqual([full, full, full]);
    await expect(connection.transaction().execute(fill)).rejects.toMatchObject({ errcode: 13 });
    expect(names()).toEqual([]);
    await write(add("c"));
    expect(names()).toEqual(["c"]);
  });
});
