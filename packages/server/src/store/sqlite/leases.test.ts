import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect, openDatabase, withoutWaiting, type Connection } from "./connection.ts";
import { freeEndedLeases, lease, leaseHeld } from "./leases.ts";
import { migrate } from "./migrate.ts";
import { fill } from "./testing/query-plan.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
  fill(database);
  database.exec(`
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms) values ('m', 1, '{}', '{"title":"x"}', 60, 'normal', 'sending', 5, 5);
    insert into batches (message_id, project_id, push_service, vapid_key_id, lane, state, cursor, last_id, due_at_ms,
      expires_at_ms, ready_at_ms, planned) values ('m', 1, 'o', 1, 'shared', 'open', 0, 9, 5, 99, 5, 1);
    create temp table waits (on_disk integer);
    create temp trigger waiting after update on main.batches
    begin
      insert into waits select synchronous from pragma_synchronous;
    end;
  `);
});
afterEach(() => database.close());

const [normal, full] = [1, 2];
const waited = () =>
  database
    .prepare("select on_disk as mode from waits")
    .all()
    .map(({ mode }) => mode);

const write = (on: Connection) => on.updateTable("batches").set({ planned: 2 }).execute();

test("a lease does not wait for the disk, and whatever comes after it does", async () => {
  const here = { pushService: "o", vapidKeyId: 1, lane: "shared" };
  const to = { owner: "me", untilMs: 50 };
  const [leased] = await Promise.all([
    lease(connection, here, "m", to, 9),
    connection.transaction().execute(write),
    write(connection),
  ]);
  expect(leased).toMatchObject({ messageId: "m" });
  await freeEndedLeases(connection, "another", 60);
  await lease(connection, here, "m", { ...to, owner: "another" }, 60);
  await write(connection);
  expect(waited()).toEqual([normal, full, full, full, normal, full]);
});

test("nor does a lease for a probe", async () => {
  database.exec(`update batches set push_origin = 'o', held = 1; delete from waits`);
  const at = { pushOrigin: "o", vapidKeyId: 1 };
  expect(await leaseHeld(connection, at, { owner: "me", untilMs: 50 }, 9)).not.toBeNull();
  await write(connection);
  expect(waited()).toEqual([normal, full]);
});

test("after one that failed, too", async () => {
  const failing = withoutWaiting(connection, async (held) => {
    await write(held);
    throw new Error("changed its mind");
  });
  await expect(failing).rejects.toThrow("changed its mind");
  await write(connection);
  expect(waited()).toEqual([normal, full]);
});
