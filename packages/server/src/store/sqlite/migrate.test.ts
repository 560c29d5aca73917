import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

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

describe("the migrations", () => {
  test("0002 keeps the messages and receipts of a database that 0001 made", () => {
    migrate(database, 5, migrations.slice(0, 1));
    database.exec(`
      insert into projects values (1, 'default', 5);
      insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
      insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
        values (1, 'token', x'02', 'https://push.example/1', x'03', 'p', 'a', 1, 'https://push.example',
          'https://site.example', 5, 5);
      insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
        created_at_ms, watermark, cursor, accepted)
        values ('m1', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 5, 5, 1, 1, 1);
      insert into receipts values ('m1', 1, 'displayed', 6);
    `);
    migrate(database, 7);
    const read = (sql: string) => database.prepare(sql).get();
    expect(read("select id, state, accepted, displayed, clicked, closed from messages")).toEqual({
      id: "m1",
      state: "done",
      accepted: 1,
      displayed: 0,
      clicked: 0,
      closed: 0,
    });
    expect(read("select * from receipts")).toEqual({
      message_id: "m1",
      registration_id: 1,
      kind: "displayed",
      received_at_ms: 6,
      action: null,
    });
    expect(() =>
      database.exec("insert into project_secrets values (1, 'another', x'04', 7)"),
    ).toThrow("CHECK");
    database.exec("insert into project_secrets values (1, 'users', x'04', 7)");
    expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  });
});
