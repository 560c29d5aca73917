import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accepted, findMessage, leaseAll, planOn, writePage } from "../contract/delivering.ts";
import { connect, openDatabase } from "./connection.ts";
import { listedIds } from "./message-list.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { openSqliteStore } from "./open.ts";
import { indexMessages } from "./search-index.ts";

const first = { name: "0001-a", sql: "create table a (x integer) strict" };
const second = {
  name: "0002-b",
  sql: "create table b (x integer) strict; insert into a values (1)",
};

let database: DatabaseSync;
beforeEach(() => {
  database = openDatabase(":memory:");
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
    expect(tables()).toEqual(["a", "b", "schema_migrations", "schema_versions"]);
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
    expect(tables()).toEqual(["a", "schema_migrations", "schema_versions"]);
    expect(database.isTransaction).toBe(false);
  });

  test("what a migration does after its SQL is undone with it", () => {
    const after = (opened: DatabaseSync) => {
      opened.exec("insert into a values (1); insert into d values (1)");
    };
    expect(() => migrate(database, 6, [{ ...first, after }])).toThrow("d");
    expect(tables()).toEqual([]);
    migrate(database, 6, [
      { ...first, after: (opened) => opened.exec("insert into a values (7)") },
    ]);
    expect(database.prepare("select x from a").all()).toEqual([{ x: 7 }]);
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

  test("keeps which versions brought the schema further", () => {
    migrate(database, 5, [first], "0.1.0");
    migrate(database, 6, [first], "0.1.1");
    migrate(database, 7, [first, second], "0.2.0");
    migrate(database, 8, [first, second], "0.1.9");
    expect(database.prepare("select * from schema_versions").all()).toEqual([
      { version: "0.1.0", migrated_at_ms: 5 },
      { version: "0.2.0", migrated_at_ms: 7 },
    ]);
  });

  test("a database of a later version is not touched, and that version is named", () => {
    migrate(database, 5, [first], "0.1.0");
    migrate(database, 6, [first, second], "0.2.0");
    expect(() => migrate(database, 7, [first], "0.1.0")).toThrow(
      expect.objectContaining({
        code: "data-too-new",
        message:
          "The data folder was written by Sineta 0.2.0. This is Sineta 0.1.0, which does not know the migration 0002-b: " +
          "run Sineta 0.2.0 or a later version, or go back to a back-up from before the upgrade.",
      }),
    );
    expect(tables()).toEqual(["a", "b", "schema_migrations", "schema_versions"]);
    expect(database.prepare("select count(*) as count from schema_versions").get()).toEqual({
      count: 2,
    });
  });

  test("a later version that kept no version is told of without one", () => {
    migrate(database, 5, [first, second]);
    database.exec("drop table schema_versions");
    expect(() => migrate(database, 6, [first], "0.1.0")).toThrow(
      /^The data folder was written by a later version of Sineta\. This is Sineta 0\.1\.0, .+: run that version, or/,
    );
    expect(tables()).toEqual(["a", "b", "schema_migrations"]);
  });
});

describe("the migrations", () => {
  test("0002 keeps the messages and receipts of a database that 0001 made", () => {
    migrate(database, 5, migrations.slice(0, 1));
    database.exec(`
      insert into projects (id, name, created_at_ms) values (1, 'default', 5);
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

  test("0003 goes on with what a message of 0002 has left: retries, and who was not walked", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sineta-migrate-"));
    const path = join(folder, "sineta.db");
    const before = openDatabase(path);
    migrate(before, 5, migrations.slice(0, 2));
    // Of ten registrations six were walked: two accepted, one is gone, one failed and two are to be tried again.
    before.exec(`
      insert into projects (id, name, created_at_ms) values (1, 'default', 5);
      insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
      with recursive number (n) as (select 1 union all select n + 1 from number where n < 10)
      insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
      select 1, 'token ' || n, x'02', 'e' || n, cast('e' || n as blob), 'p', 'a', 1,
        'https://' || iif(n % 2 = 0, 'a', 'b') || '.example', 'https://site.example', 5, 5 from number;
      update registrations set ended_at_ms = 6, end_reason = 'gone', endpoint = null, endpoint_hash = null,
        p256dh = null, auth = null where id = 1;
      insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
        created_at_ms, started_at_ms, watermark, cursor, accepted, gone, retry, failed) values
        ('m-sending', 1, '{"kind":"all"}', '{"title":"x"}', 3600, 'normal', 'sending', 1000, 5, 1000, 9, 6, 2, 1, 2, 1),
        ('m-done', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 900, 5, 900, 9, 9, 8, 0, 0, 1);
      insert into message_exceptions values
        ('m-sending', 1, 'gone', 1, 1, null, 'gone', '', 7),
        ('m-sending', 2, 'retry', 1, 2, 4000, 'busy', '503', 7),
        ('m-sending', 3, 'retry', 1, 1, 3000, 'busy', '429', 7),
        ('m-sending', 4, 'failed', 1, 1, null, 'odd', '', 7),
        ('m-done', 4, 'failed', 1, 1, null, 'odd', '', 7);
    `);
    before.close();

    const store = await openSqliteStore(path, 2_000);
    try {
      const bench = { store, projectId: 1 };
      expect(await findMessage(bench, "m-done")).toMatchObject({
        state: "done",
        plannedCount: 9,
        counts: { accepted: 8, failed: 1 },
      });
      expect(await findMessage(bench, "m-sending")).toMatchObject({
        plannedTo: 6,
        plannedCount: 6,
        counts: { accepted: 2, gone: 1, retry: 2, rejected: 0, failed: 1 },
      });
      await planOn(bench, "m-sending", { keys: 2, dueAt: () => 0 });
      const sent: string[] = [];
      for await (const batch of leaseAll(store, 5_000)) {
        const message = await findMessage(bench, batch.messageId);
        const page = await store.delivery.batchPage(batch, message, 10);
        const due = await store.delivery.dueRetries(batch, message, 5_000, 10);
        const walked = page.map(({ registrationId }) => accepted(registrationId));
        const retried = due.map(({ attempts, registrationId }) => ({
          attempts,
          delivered: accepted(registrationId),
        }));
        for (const { registrationId, recipient } of due) {
          expect(recipient).toMatchObject({ pushOrigin: batch.onlyOrigins?.[0] });
          sent.push(`${registrationId} again`);
        }
        sent.push(...page.map(({ registrationId }) => String(registrationId)));
        await writePage(store, batch, { walked, retried }, 5_000);
      }
      expect(sent.toSorted()).toEqual(["2 again", "3 again", "7", "8", "9"]);
      expect(await store.delivery.finishMessages(5_000)).toEqual(["m-sending"]);
      expect(await findMessage(bench, "m-sending")).toMatchObject({
        state: "done",
        plannedCount: 9,
        counts: { accepted: 7, gone: 1, retry: 0, rejected: 0, failed: 1 },
      });
      expect(await store.messages.reasons("m-sending")).toEqual([
        {
          pushOrigin: "https://a.example",
          kind: "failed",
          reason: "odd",
          detail: "",
          count: 1,
        },
      ]);
    } finally {
      await store.close();
    }
    const after = new DatabaseSync(path);
    expect(after.prepare("pragma foreign_key_check").all()).toEqual([]);
    expect(after.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    after.close();
    rmSync(folder, { recursive: true });
  });

  test("0006 counts what is there as its triggers would have", () => {
    migrate(database, 5, migrations.slice(0, 4));
    database.exec(`
      insert into projects (id, name, created_at_ms) values (1, 'default', 5);
      insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
      with recursive number (n) as (select 1 union all select n + 1 from number where n < 12)
      insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, locale, created_at_ms, refreshed_at_ms)
      select 1, 'token ' || n, x'02', 'e' || n, cast('e' || n as blob), 'p', 'a', 1,
        case n % 4 when 0 then 'https://updates.push.services.mozilla.com' when 1 then 'https://web.push.apple.com'
          when 2 then 'https://wns2-a.notify.windows.com' else 'https://fcm.googleapis.com' end,
        'https://site.example', iif(n < 4, null, 'pt-BR'), n * 86400000, n * 86400000 from number;
      insert into topics values (1, 1, 'bread', 'open', 0);
      insert into registration_topics select 1, id, 0 from registrations where id < 6;
      update registrations set ended_at_ms = 20 * 86400000, end_reason = iif(id = 1, 'gone', 'left'), endpoint = null,
        endpoint_hash = null, p256dh = null, auth = null where id in (1, 2, 12);
    `);
    migrate(database, 7);
    const all = (sql: string) => database.prepare(sql).all();
    const recount = (column: string, kind: string) =>
      all(`select '${kind}' as kind, ${column} as value, count(*) as live from registrations
        where ended_at_ms is null group by ${column}`);
    const kept = (kind: string) =>
      all(`select kind, value, live from audience_live where kind = '${kind}' order by value`);
    expect(kept("browser")).toEqual([
      { kind: "browser", value: "edge", live: 2 },
      { kind: "browser", value: "firefox", live: 2 },
      { kind: "browser", value: "safari", live: 2 },
      { kind: "browser", value: "unknown", live: 3 },
    ]);
    for (const kind of ["browser", "system", "language"]) {
      expect(kept(kind)).toEqual(recount(kind, kind));
    }
    expect(kept("push-origin")).toEqual(recount("push_origin", "push-origin"));
    expect(all('select day, registered, gone, "left" from audience_days where day > 10')).toEqual([
      { day: 11, registered: 1, gone: 0, left: 0 },
      { day: 12, registered: 1, gone: 0, left: 0 },
      { day: 20, registered: 0, gone: 1, left: 2 },
    ]);
    expect(all("select live_registrations from topics")).toEqual([{ live_registrations: 3 }]);
    // Whoever takes a live one out by hand leaves the figures right.
    database.exec("delete from registration_topics; delete from registrations where id = 4");
    expect(kept("browser")).toEqual(recount("browser", "browser"));
    expect(all("select sum(removed) as removed from audience_days")).toEqual([{ removed: 1 }]);
    expect(all("select live_registrations from topics")).toEqual([{ live_registrations: 0 }]);
    expect(all("pragma foreign_key_check")).toEqual([]);
  });

  test("0012 gives idempotency keys to those who used them", () => {
    migrate(database, 5, migrations.slice(0, 11));
    database.exec(`
      insert into projects (id, name, created_at_ms) values (1, 'default', 5);
      insert into api_keys (id, project_id, prefix, hash, name, scopes, created_at_ms, predecessor_id) values
        (1, 1, 'a', x'01', '', '["send"]', 5, null), (2, 1, 'b', x'02', '', '["send"]', 5, 1),
        (3, 1, 'c', x'03', '', '["send"]', 5, 2);
      with said (id, key, kind, publisher) as (values ('m1', 'k1', 'api-key', 3), ('m2', 'k2', 'operator', 7),
        ('m3', 'k3', 'command-line', null), ('m4', 'k4', null, null), ('m5', null, 'operator', 7))
      insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
        created_at_ms, idempotency_key, publisher_kind, publisher_id)
        select id, 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 5, 5, key, kind, publisher from said;
    `);
    migrate(database, 7);
    const owners = database.prepare("select idempotency_owner from messages order by id").all();
    expect(owners.map((row) => row["idempotency_owner"])).toEqual([
      "api-key:1",
      "operator:7",
      "command-line",
      "nobody",
      null,
    ]);
  });

  test("0013 keeps what was counted, and counts what is inserted by whoever does not count", () => {
    migrate(database, 5, migrations.slice(0, 12));
    database.exec(`
      insert into projects (id, name, created_at_ms) values (1, 'default', 5);
      insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
    `);
    const insert = (token: string) =>
      database.exec(`insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
        values (1, '${token}', x'02', '${token}', cast('${token}' as blob), 'p', 'a', 1, 'push', 'site', 5, 5)`);
    insert("before");
    migrate(database, 7);
    insert("after");
    const counts =
      database.prepare(`select live_registrations as inAll, (select sum(live) from audience_live) as ofFourKinds,
      (select sum(registered) from audience_days) as came, (select sum(registrations) from live_groups) as inGroups from projects`);
    expect(counts.get()).toEqual({ inAll: 2, ofFourKinds: 8, came: 2, inGroups: 2 });
  });

  test("0015 leaves projects without origins of their own, and passkeys with no host that is known", () => {
    migrate(database, 5, migrations.slice(0, 14));
    database.exec(`
      insert into projects (id, name, created_at_ms) values (1, 'default', 5);
      insert into operators (id, email, name, password_hash, created_at_ms) values (1, 'a@b.example', 'A', 'x', 5);
      insert into passkeys (operator_id, credential_id, public_key, counter, transports, name, created_at_ms)
        values (1, x'01', x'02', 0, '', 'notebook', 5);
    `);
    migrate(database, 7);
    const read = (sql: string) => database.prepare(sql).get();
    expect(read("select origins from projects")).toEqual({ origins: "[]" });
    expect(read("select rp_id from passkeys")).toEqual({ rp_id: null });
    expect(() => database.exec("update projects set origins = 'https://a.example'")).toThrow(
      "CHECK",
    );
  });

  test("0022 indexes the messages that are there, in the order of publication", async () => {
    migrate(database, 5, migrations.slice(0, 21));
    const notifications = [
      { title: "今日は新しいパンが焼けました" },
      { title: 7, body: null },
      { title: "Pão", body: "パンの日" },
    ];
    database.exec("insert into projects (id, name, created_at_ms) values (1, 'default', 5)");
    const insert =
      database.prepare(`insert into messages (id, project_id, target, notification, ttl_seconds, urgency,
      state, scheduled_at_ms, created_at_ms) values (?, 1, '{"kind":"all"}', ?, 60, 'normal', 'done', 5, 5)`);
    for (const [index, notification] of notifications.entries()) {
      insert.run(`m${index}`, JSON.stringify(notification));
    }
    migrate(database, 7);
    const page = { beforeId: undefined, limit: 9, filter: {} };
    const list = (search: string) =>
      listedIds(connect(database), 1, { ...page, filter: { search } });
    expect(await list("パン")).toEqual(["m2", "m0"]);
    expect(await list("pao")).toEqual(["m2"]);
    // What is published later stands behind them.
    insert.run("m3", JSON.stringify({ title: "パン屋" }));
    indexMessages(database);
    indexMessages(database);
    expect(await list("パン")).toEqual(["m3", "m2", "m0"]);
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  });
});
