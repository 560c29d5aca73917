import { expect, test } from "vitest";
import { connect, openDatabase } from "./connection.ts";
import { listedIds } from "./message-list.ts";
import { hoursOf } from "./message-hours.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

test("0008 counts the receipts that there are by their hours, and finds messages by their words", async () => {
  const database = openDatabase(":memory:");
  const before = migrations.findIndex(({ name }) => name.startsWith("0008"));
  migrate(database, 5, migrations.slice(0, before));
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 5);
    insert into vapid_keys values (1, 1, 'key', x'01', 5, null);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 3)
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
    select 1, 't' || n, x'02', 'e' || n, cast('e' || n as blob), 'p', 'a', 1, 'o', 'o', 5, 5 from number;
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms) values
      ('m2', 1, '{"kind":"all"}', '{"title":"Bolo","body":"e pão"}', 60, 'normal', 'done', 5, 5),
      ('m1', 1, '{"kind":"all"}', '{"title":"PÃO"}', 60, 'normal', 'done', 5, 5),
      ('m3', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'scheduled', 5, 5);
    insert into receipts (message_id, registration_id, kind, received_at_ms) values
      ('m1', 1, 'displayed', 3599999), ('m1', 2, 'displayed', 3600000), ('m1', 2, 'clicked', 7199999),
      ('m2', 1, 'closed', 5);
    insert into batches (message_id, project_id, push_origin, vapid_key_id, state, cursor, last_id, due_at_ms,
      expires_at_ms, ready_at_ms, worked_at_ms, planned, accepted) values
      ('m1', 1, 'o', 1, 'done', 1, 1, 5, 5, 5, 3600001, 1, 1), ('m1', 1, 'o', 1, 'done', 2, 2, 5, 5, 5, 3600009, 1, 1),
      ('m2', 1, 'o', 1, 'done', 2, 2, 5, 5, 5, 7200000, 2, 2), ('m3', 1, 'o', 1, 'open', 0, 2, 5, 5, 5, null, 2, 0);
  `);
  migrate(database, 6);
  const connection = connect(database);
  const none = { accepted: 0, displayed: 0, clicked: 0, closed: 0 };
  expect(await hoursOf(connection, "m1").execute()).toEqual([
    { ...none, hourMs: 0, displayed: 1 },
    { ...none, hourMs: 3_600_000, accepted: 2, displayed: 1, clicked: 1 },
  ]);
  expect(await hoursOf(connection, "m2").execute()).toEqual([
    { ...none, hourMs: 0, closed: 1 },
    { ...none, hourMs: 7_200_000, accepted: 2 },
  ]);
  expect(await hoursOf(connection, "m3").execute()).toEqual([]);
  const page = { beforeId: undefined, limit: 9, filter: { search: "pao" } };
  expect(await listedIds(connection, 1, page)).toEqual(["m2", "m1"]);
  expect(await listedIds(connection, 1, { ...page, beforeId: "m2" })).toEqual(["m1"]);
  expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  database.close();
});
