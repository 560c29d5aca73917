import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "./migrate.ts";

const first = { name: "0001-a", sql: "create table a (x integer) strict" };
const second = {
  name: "0002-b",
  sql: "create table b (x integer) strict; insert into a values (1)",
};

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
});
afterEach(() => database.close());

const tables = () =>
  database
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .all()
    .map((row) => row["name"]);

describe("migrate", () => {
  test("runs what has not run yet, in order, once", () => {
    migrate(database, 5, [first]);
    migrate(database, 6, [first, second]);
    migrate(database, 7, [first, second]);
    expect(tables()).toEqual(["a", "b", "schema_migrations"]);
    expect(database.prepare("select count(*) as count from a").get()).toEqual({ count: 1 });
    const applied = database.prepare("select * from schema_migrations order by name").all();
    expect(applied).toEqual([
      { name: "0001-a", applied_at_ms: 5 },
      { name: "0002-b", applied_at_ms: 6 },
    ]);
  });

  test("one that fails leaves everything as it was", () => {
    migrate(database, 5, [first]);
    const broken = {
      name: "0003-c",
      sql: "create table c (x integer) strict; insert into d values (1)",
    };
    expect(() => migrate(database, 6, [first, second, broken])).toThrow("d");
    expect(tables()).toEqual(["a", "schema_migrations"]);
    expect(database.isTransaction).toBe(false);
  });

  test("a full disk is told as that", () => {
    database.exec("pragma max_page_count = 20");
    const large = {
      name: "0003-c",
      sql: "create table c (x); insert into c values (zeroblob(1000000))",
    };
    expect(() => migrate(database, 6, [first, large])).toThrow(
      expect.objectContaining({ errcode: 13 }),
    );
    expect(database.isTransaction).toBe(false);
  });

  test("a database of a later version is not touched", () => {
    migrate(database, 5, [first, second]);
    expect(() => migrate(database, 6, [first])).toThrow(
      expect.objectContaining({ code: "data-too-new", message: expect.stringContaining("0002-b") }),
    );
    expect(tables()).toEqual(["a", "b", "schema_migrations"]);
  });
});
