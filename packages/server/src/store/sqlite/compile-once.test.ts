import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compileOnce } from "./compile-once.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => database.close());

type Named = { name: string; nowMs: number };

const build = vi.fn((on: Connection, { name, nowMs }: Named) =>
  on
    .insertInto("projects")
    .values({ name, created_at_ms: nowMs, receipts: 0 })
    .returning(["name", "created_at_ms as madeAtMs", "receipts"]),
);

test("a statement is built once, and each call binds its own values, in a transaction too", async () => {
  const add = compileOnce(build);
  expect((await add(connection, { name: "a", nowMs: 1 })).rows).toEqual([
    { name: "a", madeAtMs: 1, receipts: 0 },
  ]);
  await connection.transaction().execute(async (transaction) => {
    const { rows } = await add(transaction, { nowMs: 2, name: "b" });
    expect(rows).toEqual([{ name: "b", madeAtMs: 2, receipts: 0 }]);
  });
  expect(build).toHaveBeenCalledTimes(1);
});

test("what a call changes is told", async () => {
  const rename = compileOnce((on, { from, to }: { from: string; to: string }) =>
    on.updateTable("projects").set({ name: to }).where("name", "=", from),
  );
  await build(connection, { name: "a", nowMs: 1 }).execute();
  expect(await rename(connection, { from: "a", to: "b" })).toMatchObject({ numAffectedRows: 1n });
  expect(await rename(connection, { from: "a", to: "b" })).toMatchObject({ numAffectedRows: 0n });
});

test("plain SQL does as well, and a value may be bound many times or not at all", async () => {
  const sums = compileOnce(
    (_, { one }: { one: number; unused: number }) =>
      sql<{ sum: number }>`select ${one} + ${one} as sum`,
  );
  expect((await sums(connection, { one: 2, unused: 3 })).rows).toEqual([{ sum: 4 }]);
  expect((await sums(connection, { one: 5, unused: 3 })).rows).toEqual([{ sum: 10 }]);
});

test("a statement that is made from a value, and does not bind it, is refused", async () => {
  const later = compileOnce((_, { nowMs }: { nowMs: number }) => sql`select ${nowMs + 1}`);
  expect(() => later(connection, { nowMs: 1 })).toThrow("the value of nowMs is not there");
  const list = compileOnce((_, { id }: { id: number }) => sql`select ${JSON.stringify([id])}`);
  expect(() => list(connection, { id: 1 })).toThrow("the value of id is not there");
  const rest = compileOnce((_, { name: _name, ...more }: Named) => sql`select ${more.nowMs}`);
  expect(() => rest(connection, { name: "a", nowMs: 1 })).toThrow("name the values");
});
