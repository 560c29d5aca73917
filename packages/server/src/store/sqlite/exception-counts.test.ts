/** The counts of exceptions that triggers keep: always what counting anew would give. */
import { expect, test } from "vitest";
import { openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

test.for(["0011", "0014"])(
  "%s counts what is there, and what becomes of it from then on",
  (name) => {
    const database = openDatabase(":memory:");
    const before = migrations.findIndex((migration) => migration.name.startsWith(name));
    migrate(database, 5, migrations.slice(0, before));
    database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 5);
    insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 24)
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
    select 1, 't' || n, x'02', 'e' || n, cast('e' || n as blob), 'p', 'a', 1, 'o', 'o', 5, 5 from number;
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms) values
      ('m1', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'sending', 5, 5),
      ('m2', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 5, 5);
    insert into batches (id, message_id, project_id, push_origin, vapid_key_id, state, cursor, last_id, due_at_ms,
      expires_at_ms, ready_at_ms, planned) values
      (1, 'm1', 1, 'east', 1, 'open', 12, 12, 5, 5, 5, 12), (2, 'm1', 1, 'west', 1, 'open', 24, 24, 5, 5, 5, 12),
      (3, 'm2', 1, 'east', 1, 'done', 24, 24, 5, 5, 5, 24);
    insert into message_exceptions
      select 'm1', id, 1 + (id > 12), case id % 5 when 0 then 'gone' when 1 then 'failed' else 'retry' end, 1, 1,
        iif(id % 5 > 1, 5, null), 'reason ' || (id % 3), 'detail ' || (id % 2), 5 from registrations;
    -- One from before there were batches, and one that accepted and moved.
    insert into message_exceptions
      select 'm2', id, iif(id < 3, null, 3), case id when 1 then 'failed' when 2 then 'accepted' else 'rejected' end,
        1, 1, null, 'r', '', 5 from registrations where id < 9;
  `);
    migrate(database, 6);
    const all = (sql: string) => database.prepare(sql).all();
    const kept = () => all("select * from exception_counts");
    const recounted = () =>
      all(`select message_id, push_origin, kind, reason, detail, count(*) as registrations from message_exceptions
      where kind not in ('accepted', 'gone') group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`);
    expect(kept().length).toBeGreaterThan(9);
    for (const change of [
      "select 1",
      "update message_exceptions set due_at_ms = 9, changed_at_ms = 9, attempts = 2 where kind = 'retry'",
      "update message_exceptions set push_origin = 'west' where registration_id < 6 and message_id = 'm1'",
      "update message_exceptions set reason = 'another' where registration_id in (3, 4, 5)",
      "update message_exceptions set detail = '' where registration_id in (4, 9)",
      "update message_exceptions set kind = 'gone', due_at_ms = null, batch_id = null where registration_id in (7, 8)",
      "update message_exceptions set kind = 'accepted', due_at_ms = null, batch_id = null where registration_id = 9",
      "update message_exceptions set kind = 'retry', due_at_ms = 5, batch_id = 1 where registration_id in (2, 7)",
      "update message_exceptions set kind = 'failed', due_at_ms = null, batch_id = null, reason = 'cancelled' where kind = 'retry'",
      "delete from message_exceptions where registration_id % 3 = 1",
    ]) {
      database.exec(change);
      expect({ change, kept: kept() }).toEqual({ change, kept: recounted() });
    }
    expect(kept().length).toBeGreaterThan(3);
    database.exec("delete from message_exceptions");
    expect(kept()).toEqual([]);
    expect(all("pragma foreign_key_check")).toEqual([]);
    database.close();
  },
);

test("0019 keeps every exception, its indexes, and what counts it; a registration may be missing", () => {
  const database = openDatabase(":memory:");
  const before = migrations.findIndex(({ name }) => name.startsWith("0019"));
  migrate(database, 5, migrations.slice(0, before));
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 5);
    insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms) values ('m1', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'sending', 5, 5);
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
    select 1, 't' || value, x'02', 'e' || value, cast('e' || value as blob), 'p', 'a', 1, 'o', 'o', 5, 5
      from json_each('[1, 2, 3]');
    insert into message_exceptions values
      ('m1', 1, 7, 'east', 'retry', 1, 2, 5, 9, 'busy', '429', 6),
      ('m1', 2, null, 'west', 'failed', 3, 4, null, null, 'expired', 'late', 8);`);
  const rows = (table: string) => database.prepare(`select * from ${table}`).all();
  const made = () =>
    database
      .prepare(
        "select name, sql from sqlite_schema where tbl_name = 'message_exceptions' and type <> 'table' order by name",
      )
      .all();
  const then = [rows("message_exceptions"), rows("exception_counts"), made()];
  expect(made().length).toBeGreaterThan(5);
  migrate(database, 6);
  expect([rows("message_exceptions"), rows("exception_counts"), made()]).toEqual(then);
  database.exec(
    "insert into message_exceptions values ('m1', 9, null, 'west', 'failed', 1, 1, 5, null, 'expired', 'late', 8)",
  );
  expect(rows("exception_counts")).toHaveLength(2);
  database.exec("delete from registrations");
  expect(rows("message_exceptions")).toHaveLength(3);
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  database.close();
});
