/** What ended registrations hold of the disk: SQLite joins pages only when a row is deleted. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { limits } from "@sineta/protocol";
import { connect, openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { removeRegistrations } from "./removed-registrations.ts";

let database: DatabaseSync;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 0);
    insert into vapid_keys values (1, 1, 'key', x'01', 0, null);
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms) values ('m', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'sending', 0, 0);
    insert into topics (id, project_id, name, policy, created_at_ms) values (1, 1, 'bread', 'open', 0);`);
});
afterEach(() => database.close());

/** Of a length as a vendor's, or of this one. */
function add(count: number, endpointCharacters: number): void {
  database.exec(`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_service, push_origin, origin, locale, time_zone, user_id, created_at_ms, refreshed_at_ms,
      renewed_at_ms, refused_at_ms, browser, system, generation)
    select 1, hex(randomblob(21)), randomblob(32), substr(hex(zeroblob(${limits.endpointCharacters})), 1, ${endpointCharacters}),
      randomblob(32), hex(randomblob(43)), hex(randomblob(11)), 1, 'fcm', 'https://fcm.googleapis.com',
      'https://site.example', 'pt-BR', 'America/Sao_Paulo', 'baker', 1790000000000, 1790000000001, 1790000000002,
      1790000000003, 'firefox', 'linux', 3 from number;`);
}

const end = (reason = "left") =>
  database.exec(`update registrations set endpoint = null, endpoint_hash = null, p256dh = null, auth = null,
    ended_at_ms = 1790000000009, end_reason = '${reason}' where ended_at_ms is null`);

function usedBytes(): number {
  const read = (pragma: string) =>
    Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
  return (read("page_count") - read("freelist_count")) * read("page_size");
}

test.for([limits.endpointCharacters, 1_500, 1_000, 700, 513, 512, 200])(
  "one with an endpoint of %i characters holds no page of its own once it has ended",
  (characters) => {
    const before = usedBytes();
    add(1_000, characters);
    end();
    expect((usedBytes() - before) / 1_000).toBeLessThan(1_300);
  },
);

test("one that was large keeps its columns, and all that is its own", () => {
  add(1, 200);
  add(1, limits.endpointCharacters);
  database.exec(`insert into registration_topics select 1, id, 0 from registrations;
    insert into receipts (message_id, registration_id, kind, received_at_ms)
      select 'm', id, 'displayed', 0 from registrations;
    insert into message_exceptions (message_id, registration_id, kind, push_origin, generation, attempts, reason, detail,
      changed_at_ms) select 'm', id, 'failed', 'o', 1, 1, 'r', '', 0 from registrations;`);
  end("gone");
  const columns = database
    .prepare("select name from pragma_table_xinfo('registrations')")
    .all()
    .map(({ name }) => String(name));
  const [small, large] = database.prepare("select * from registrations order by id").all();
  const own = new Set(["id", "token", "client_secret_hash"]);
  for (const column of columns.filter((name) => !own.has(name))) {
    expect([column, large?.[column]]).toEqual([column, small?.[column]]);
  }
  expect(large).toMatchObject({ id: 2, token: expect.any(String), generation: 3 });
  expect(large?.["client_secret_hash"]).toBeInstanceOf(Uint8Array);
  for (const table of ["registration_topics", "receipts", "message_exceptions"]) {
    expect(database.prepare(`select registration_id from ${table}`).all()).toHaveLength(2);
  }
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
});

test("what writes a large row anew names every column", () => {
  const trigger = database
    .prepare("select sql from sqlite_schema where name = 'large_registration_ended'")
    .get();
  const words = new Set(String(trigger?.["sql"]).match(/\bnew\.\w+/g));
  const written = database
    .prepare("select name from pragma_table_info('registrations')")
    .all()
    .map(({ name }) => `new.${String(name)}`);
  expect([...words].filter((word) => written.includes(word)).toSorted()).toEqual(
    written.toSorted(),
  );
});

test("what an earlier version has sent and ended counts", () => {
  const earlier = openDatabase(":memory:");
  migrate(
    earlier,
    0,
    migrations.filter(({ name }) => name < "0017"),
  );
  earlier.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 0), (2, 'other', 0);
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms, watermark) values
      ('m1', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 0, 0, 7),
      ('m2', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 0, 0, 5),
      ('m3', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'scheduled', 0, 0, null);`);
  migrate(earlier, 0);
  expect(earlier.prepare("select watermark, ended_registrations from projects").all()).toEqual([
    { watermark: 7, ended_registrations: 0 },
    { watermark: 0, ended_registrations: 0 },
  ]);
  earlier.close();
});

test("removing a registration deletes its rows everywhere but in message_exceptions", async () => {
  add(2, 200);
  end("gone");
  database.exec(`insert into registration_topics select 1, id, 0 from registrations;
    insert into receipts (message_id, registration_id, kind, received_at_ms)
      select 'm', id, 'displayed', 0 from registrations;
    insert into registration_losses (registration_id, cause, returned_at_ms) select id, 'gone', 0 from registrations;
    insert into gone_endpoints (project_id, endpoint_hash, registration_id, gone_at_ms)
      select 1, randomblob(32), id, 0 from registrations;
    insert into message_exceptions (message_id, registration_id, kind, push_origin, generation, attempts, reason, detail,
      changed_at_ms) select 'm', id, 'failed', 'o', 1, 1, 'r', '', 0 from registrations;`);
  await removeRegistrations(connect(database), [1]);
  const tables = database
    .prepare(
      `select tables.name from sqlite_schema as tables join pragma_table_info(tables.name) as columns
        where tables.type = 'table' and columns.name = 'registration_id' order by 1`,
    )
    .all()
    .map(({ name }) => String(name));
  const left = tables.map((table) => [
    table,
    database.prepare(`select count(*) as rows from ${table}`).get()?.["rows"],
  ]);
  expect(Object.fromEntries(left)).toEqual({
    gone_endpoints: 1,
    message_exceptions: 2,
    receipts: 1,
    registration_losses: 1,
    registration_topics: 1,
  });
});
