/** What is due is found among thousands of batches that are not, and of push origins that breakers hold. */
import type { DatabaseSync } from "node:sqlite";
import type { Compilable, RawBuilder } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { passedBy } from "./gone.ts";
import {
  dueProbes,
  dueProvenProbes,
  findDueProbes,
  findReadyDestinations,
  findReadyMessages,
  lease,
  leaseFirst,
  leaseFirstHeld,
  readyDestinations,
  readyMessages,
} from "./leases.ts";
import { migrate } from "./migrate.ts";
import { hostsOf, turnsBefore } from "./moved.ts";
import { fill, readsOf } from "./testing/query-plan.ts";

const here = { pushService: "windows", vapidKeyId: 1, lane: "shared" };
const nowMs = 1_000;

/** 5,000 open batches of 50 messages that are not due, one that is; and 5,000 push origins that breakers hold, of which two may be probed. */
function crowd(database: DatabaseSync): void {
  fill(database);
  database.exec(`
    delete from sqlite_stat1;
    analyze sqlite_schema;
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms, watermark, cursor)
    with recursive number (n) as (select 0 union all select n + 1 from number where n < 49)
    select 'm' || n, 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'sending', 5, 5, 5000, 5000 from number;
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 5000)
    insert into batches (message_id, project_id, push_service, vapid_key_id, lane, state, cursor, last_id, due_at_ms,
      expires_at_ms, ready_at_ms, planned)
    select 'm' || (n % 50), 1, iif(n % 2 = 0, 'windows', 'mozilla'), 1, iif(n % 4 < 2, 'shared', 'unproven'), 'open',
      n, n + 1, 9000 + n, 99000, 9000 + n, 1 from number;
    insert into batches (message_id, project_id, push_service, vapid_key_id, lane, state, cursor, last_id, due_at_ms,
      expires_at_ms, ready_at_ms, planned)
    values ('m7', 1, 'windows', 1, 'shared', 'open', 0, 5000, 900, 99000, 900, 1);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 5000)
    insert into batches (message_id, project_id, push_service, vapid_key_id, push_origin, lane, held, state, cursor, last_id,
      due_at_ms, expires_at_ms, ready_at_ms, planned)
    select 'm1', 1, 'windows', 1, 'o' || n, 'unproven', 1, 'open', 0, 5000, 5, 99000, 5, 1 from number;
    insert into breakers (push_origin, vapid_key_id, reason, detail, opened_at_ms, probe_at_ms)
    select push_origin, 1, 'unavailable', '', 0, iif(push_origin in ('o17', 'o18'), 5, 9000)
    from batches where push_origin is not null;
    insert into proven_origins values ('o18', 1, 0);
  `);
}

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  let database: DatabaseSync;
  let connection: Connection;
  beforeEach(() => {
    database = openDatabase(":memory:");
    migrate(database, 0);
    connection = connect(database);
    crowd(database);
    if (state === "analysed") database.exec("analyze");
  });
  afterEach(() => database.close());

  const reads = (query: Compilable) => readsOf(database, query);
  const readsRaw = (query: RawBuilder<unknown>) =>
    reads({ compile: () => query.compile(connection) });
  /** How batches are read. */
  const ofBatches = (steps: string[]) => steps.filter((step) => / (batches|next) /.test(step));
  const due = (where: string) => expect.stringMatching(new RegExp(`batches_due \\(${where}`));
  const atHere = due(
    String.raw`push_service=\? AND vapid_key_id=\? AND lane=\? AND ready_at_ms<\?\)$`,
  );
  const byId = expect.stringMatching(/ USING INTEGER PRIMARY KEY \(rowid=\?\)$/);

  test("the destination that has something to do is found", async () => {
    expect(ofBatches(readsRaw(readyDestinations(nowMs)))).toEqual(
      expect.arrayContaining([
        due(String.raw`push_service=\? AND vapid_key_id=\? AND lane>\?`),
        due(String.raw`push_service=\? AND vapid_key_id>\?`),
        due(String.raw`push_service>\?`),
        atHere,
      ]),
    );
    const scans = readsRaw(readyDestinations(nowMs)).filter((step) => /^SCAN .*batches/.test(step));
    // The first entry of it.
    expect(scans).toEqual(["SCAN batches USING COVERING INDEX batches_due"]);
    expect(await findReadyDestinations(connection, nowMs)).toEqual([here]);
  });

  test("so is the message that is due there, and its batch", async () => {
    expect(ofBatches(readsRaw(readyMessages({ ...here, nowMs })))).toEqual([atHere]);
    const asked = { ...here, nowMs, messageId: "m7", owner: "me", untilMs: 9_000 };
    expect(reads(leaseFirst(connection, asked))).toEqual([byId, atHere]);
    expect(await findReadyMessages(connection, here, nowMs)).toEqual(["m7"]);
    const leased = await lease(connection, here, "m7", { owner: "me", untilMs: 9_000 }, nowMs);
    expect(leased).toMatchObject({ cursor: 0, lastId: 5_000, epoch: 1 });
    expect(await findReadyDestinations(connection, nowMs)).toEqual([]);
  });

  test("held push origins are sought by their probes that are due, and by their name", async () => {
    const ofOrigin = expect.stringMatching(
      /INDEX batches_of_origin \(push_origin=\? AND vapid_key_id=\? AND ready_at_ms<\?\)$/,
    );
    const steps = reads(dueProbes(connection, nowMs, 10));
    expect(ofBatches(steps)).toEqual([ofOrigin]);
    expect(steps).toContain("SEARCH breakers USING COVERING INDEX breakers_due (probe_at_ms<?)");
    const ofProven = readsRaw(dueProvenProbes(nowMs, 10));
    expect(ofBatches(ofProven)).toEqual([ofOrigin]);
    // Nobody can make up a push origin that has accepted something.
    expect(ofProven.filter((step) => step.startsWith("SCAN"))).toEqual(["SCAN proven_origins"]);
    const asked = { pushOrigin: "o17", vapidKeyId: 1, nowMs, owner: "me", untilMs: 9_000 };
    expect(reads(leaseFirstHeld(connection, asked))).toEqual([byId, ofOrigin]);
    expect(await findDueProbes(connection, nowMs, 10)).toEqual([
      { pushOrigin: "o18", vapidKeyId: 1, proven: true },
      { pushOrigin: "o17", vapidKeyId: 1, proven: false },
    ]);
  });

  test("a registration that moves or is gone reads the batches that it is before, of its push service or of the messages that are being sent", () => {
    const place = { push_service: "mozilla", push_origin: "a", vapid_key_id: 1, time_zone: null };
    const another = { ...place, push_service: "windows", push_origin: "o1" };
    const moving = { id: 4_990, projectId: 1 };
    expect(ofBatches(reads(turnsBefore(connection, moving, place, another)))).toEqual([
      "SEARCH batches USING INDEX batches_ahead (push_service=? AND vapid_key_id=? AND last_id>?)",
    ]);
    const like = { message_id: "m7", due_at_ms: 900, expires_at_ms: 99_000 };
    expect(reads(hostsOf(connection, like, place, "shared"))).toEqual([
      "SEARCH batches USING INDEX batches_hosting (message_id=? AND push_service=? AND vapid_key_id=?)",
    ]);
    const steps = reads(passedBy(connection, { message_id: "m7", project_id: 1 }, 4_990, place));
    expect(steps).toEqual([
      expect.stringMatching(/^SEARCH messages USING INDEX messages_\w+ \(state=\?\)$/),
      expect.stringMatching(/^SEARCH batches USING INDEX batches_of_message \(message_id=\?/),
    ]);
  });
});
