/** What SQLite reads for each statement of the delivery: none of them reads a whole table, however large it is. */
import type { DatabaseSync } from "node:sqlite";
import type { Compilable, RawBuilder } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageTarget } from "../port.ts";
import { accepted } from "../contract/delivering.ts";
import { nextOfBatch, retriesOf } from "./batch-page.ts";
import { hold } from "./breakers.ts";
import { nextRetry, rowsOf } from "./checkpoint.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { queue, waitingAt } from "./delivery.ts";
import { elsewhere } from "./keep-turns.ts";
import { abandoned, expired, finish, pause, resume } from "./endings.ts";
import {
  dueProbes,
  dueProvenProbes,
  endedLeases,
  leaseFirst,
  leaseFirstHeld,
  readyDestinations,
  readyMessages,
  releaseAll,
  stopping,
} from "./leases.ts";
import { migrate } from "./migrate.ts";
import { passedBy } from "./gone.ts";
import { endedBatches } from "./retention.ts";
import { hostsOf, retriesOfRegistration, turnsBefore } from "./moved.ts";
import { toPlan } from "./plan.ts";
import { provenOrigin } from "./proven-origins.ts";
import { setRefused } from "./refusals.ts";
import { fill, readsOf } from "./testing/query-plan.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => database.close());

/** Many messages, most of them done, with many batches at a few destinations; and what SQLite learns of it. */
function fillDelivery(): void {
  fill(database);
  database.exec(`
    update registrations set push_origin = 'o' || (id % 4), push_service = 'o' || (id % 4);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 400)
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms, watermark, cursor)
    select 'm' || n, 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal',
      case when n % 20 = 0 then 'sending' when n % 21 = 0 then 'scheduled' when n % 22 = 0 then 'paused'
        else 'done' end, 5, 5, 5000, iif(n % 40 = 0, 100, 5000) from number;
    with recursive number (n) as (select 0 union all select n + 1 from number where n < 20000)
    insert into batches (message_id, project_id, push_service, vapid_key_id, push_origin, lane, held, state, cursor,
      last_id, due_at_ms, expires_at_ms, ready_at_ms, lease_owner, lease_until_ms, planned)
    select 'm' || (n % 400 + 1), 1, 'o' || (n % 7 % 4), 1, iif(n % 3 = 0, 'o' || (n % 7 % 4), null),
      iif(n % 2 = 0, 'shared', 'unproven'), n % 6 = 0, iif(n % 400 % 20 = 19, 'open', 'done'), n / 5 % 5000,
      n / 5 % 5000 + 100, 5, n, n, iif(n % 1000 = 0, 'x', null), iif(n % 1000 = 0, 5, null), 10 from number;
    insert into message_exceptions
    select 'm' || (id % 400 + 1), id, iif(id % 3 = 0, id, null), 'o1', iif(id % 3 = 0, 'retry', 'failed'), 1, 1, 0,
      iif(id % 3 = 0, id, null), '', '', 0 from registrations;
    insert into proven_origins values ('o1', 1, 0);
    insert into breakers values ('o1', 1, 'unavailable', '', 0, 0, 0);
    analyze;
  `);
}

const here = { pushService: "o1", vapidKeyId: 1, lane: "shared" };
const at = { pushOrigin: "o1", vapidKeyId: 1 };
const batch = {
  ...here,
  id: 5,
  messageId: "m20",
  projectId: 1,
  onlyOrigins: null,
  exceptOrigins: [],
  epoch: 1,
  cursor: 10,
  lastId: 900,
  dueAtMs: 5,
};
const place = { push_service: "o1", push_origin: "o1", vapid_key_id: 1, time_zone: null };

const exception =
  "SEARCH message_exceptions USING PRIMARY KEY (message_id=? AND registration_id=?)";
const ofService =
  "SEARCH registrations USING INDEX registrations_of_service (project_id=? AND push_service=? AND vapid_key_id=? AND id>? AND id<?)";

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  beforeEach(() => {
    if (state === "analysed") fillDelivery();
  });
  const reads = (query: Compilable) => readsOf(database, query);
  const readsRaw = (query: RawBuilder<unknown>) =>
    reads({ compile: () => query.compile(connection) });

  test("planning reads the messages that are not done", () => {
    expect(reads(toPlan(connection, 9))).toEqual([
      "SEARCH messages USING INDEX messages_open (state=? AND scheduled_at_ms<?)",
    ]);
  });

  test("what is ready is sought from destination to destination, among the free batches", () => {
    const steps = readsRaw(readyDestinations(9));
    expect(steps.filter((step) => /(batches|next) (USING|EXISTS)/.test(step)).toSorted()).toEqual([
      // Of which it takes the first.
      "SCAN batches USING COVERING INDEX batches_due",
      expect.stringMatching(
        /^SEARCH batches EXISTS USING COVERING INDEX batches_due .*lane=\? AND ready_at_ms<\?\)$/,
      ),
      "SEARCH batches USING COVERING INDEX batches_due (push_service=? AND vapid_key_id=? AND lane>?)",
      "SEARCH batches USING COVERING INDEX batches_due (push_service=? AND vapid_key_id>?)",
      "SEARCH batches USING COVERING INDEX batches_due (push_service>?)",
      "SEARCH next USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
  });

  const due = "batches_due (push_service=? AND vapid_key_id=? AND lane=? AND ready_at_ms<?)";

  test("a message that is ready among those that are due", () => {
    expect(readsRaw(readyMessages({ ...here, nowMs: 9 }))).toEqual([
      `SEARCH batches USING COVERING INDEX ${due}`,
    ]);
  });

  test("leases read what is due at one destination, or what is leased", () => {
    const lease = { owner: "me", untilMs: 9, nowMs: 9 };
    expect(reads(leaseFirst(connection, { ...here, ...lease, messageId: "m20" }))).toEqual([
      "SEARCH batches USING INTEGER PRIMARY KEY (rowid=?)",
      `SEARCH batches USING COVERING INDEX ${due}`,
    ]);
    const ofOrigin = "batches_of_origin (push_origin=? AND vapid_key_id=? AND ready_at_ms<?)";
    expect(reads(leaseFirstHeld(connection, { ...at, ...lease }))).toEqual([
      "SEARCH batches USING INTEGER PRIMARY KEY (rowid=?)",
      `SEARCH batches USING INDEX ${ofOrigin}`,
    ]);
    expect(reads(dueProbes(connection, 9, 10)).toSorted()).toEqual([
      expect.stringMatching(
        /^SEARCH batches (EXISTS )?USING INDEX batches_of_origin \(push_origin=\? AND vapid_key_id=\? AND ready_at_ms<\?\)$/,
      ),
      "SEARCH breakers USING COVERING INDEX breakers_due (probe_at_ms<?)",
      "SEARCH proven_origins USING PRIMARY KEY (push_origin=? AND vapid_key_id=?)",
    ]);
    expect(readsRaw(dueProvenProbes(9, 10))).toEqual([
      "SCAN proven_origins",
      expect.stringMatching(/^SEARCH breakers USING (PRIMARY KEY|COVERING INDEX breakers_due) \(/),
      expect.stringMatching(/^SEARCH batches (EXISTS )?USING INDEX batches_of_origin /),
    ]);
    expect(reads(releaseAll(connection))).toEqual(["SCAN batches USING INDEX batches_leased"]);
    expect(reads(endedLeases(connection, "me", 9))).toEqual([
      "SEARCH batches USING INDEX batches_leased (lease_until_ms<?)",
    ]);
    expect(reads(stopping(connection, "m20", 9))).toEqual([
      expect.stringMatching(/^SEARCH batches USING INDEX batches_(of_message|leased) \(/),
    ]);
    expect(reads(hold(connection, at, 1))).toEqual([
      "SEARCH batches USING INDEX batches_of_origin (push_origin=? AND vapid_key_id=?)",
    ]);
  });

  const pages: Record<MessageTarget["kind"], [MessageTarget, string[]]> = {
    all: [{ kind: "all" }, [ofService]],
    condition: [{ kind: "condition", condition: "'small' in topics" }, [ofService]],
    topic: [
      { kind: "topic", topic: "small" },
      [
        "SEARCH registration_topics USING PRIMARY KEY (topic_id=? AND registration_id>? AND registration_id<?)",
        "SEARCH registrations USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ],
    user: [
      { kind: "user", userId: "baker" },
      [
        "SEARCH registrations USING INDEX registrations_of_user (project_id=? AND user_id=? AND rowid>? AND rowid<?)",
      ],
    ],
    token: [
      { kind: "token", token: "token 7" },
      ["SEARCH registrations USING INDEX sqlite_autoindex_registrations_1 (token=?)"],
    ],
    tokens: [
      { kind: "tokens", tokens: ["token 7"] },
      ["SEARCH registrations USING INDEX sqlite_autoindex_registrations_1 (token=?)"],
    ],
  };
  test.for(Object.values(pages))("a page to %j reads its own part", ([target, expected]) => {
    const message = { id: "m20", projectId: 1, target, localTime: null };
    const steps = reads(nextOfBatch(connection, batch, message, 500));
    expect(steps.filter((step) => !/topics (EXISTS )?USING .*=\?\)$/.test(step))).toEqual([
      ...expected,
      exception,
    ]);
  });

  test("the time zones of a batch are read once for its page", () => {
    const message = {
      id: "m20",
      projectId: 1,
      target: { kind: "all" as const },
      localTime: "1970-01-01T00:00:00",
    };
    expect(reads(nextOfBatch(connection, batch, message, 500))).toEqual([
      ofService,
      "SEARCH batches USING INTEGER PRIMARY KEY (rowid=?)",
      exception,
    ]);
  });

  test("retries and rows are those that were asked for", () => {
    expect(reads(retriesOf(connection, batch, 9, 10))).toEqual([
      "SEARCH message_exceptions USING INDEX message_exceptions_due (batch_id=? AND due_at_ms<?)",
    ]);
    expect(reads(nextRetry(connection, 5))).toEqual([
      "SEARCH message_exceptions USING COVERING INDEX message_exceptions_due (batch_id=?)",
    ]);
    expect(reads(rowsOf(connection, "m20", [1, 2]))).toEqual([
      "SEARCH message_exceptions USING COVERING INDEX exceptions_of_registration (registration_id=? AND message_id=?)",
    ]);
  });

  test("who was refused is found one by one, and what was accepted by its destination", () => {
    const those = [5, 7].map((id) => Object.assign(accepted(id), { pushOrigin: "o1" }));
    for (const atMs of [9, null]) {
      expect(reads(setRefused(connection, those, atMs))).toEqual([
        "SCAN sent VIRTUAL TABLE INDEX 1:",
        "SEARCH registrations USING INTEGER PRIMARY KEY (rowid=?)",
      ]);
    }
    expect(reads(provenOrigin(connection, at))).toEqual([
      "SEARCH proven_origins USING PRIMARY KEY (push_origin=? AND vapid_key_id=?)",
    ]);
  });

  test("a registration that moves reads the open batches it comes from and goes to", () => {
    const another = { ...place, push_service: "o2", push_origin: "o2" };
    expect(reads(turnsBefore(connection, { id: 5, projectId: 1 }, place, another))).toEqual([
      "SEARCH batches USING INDEX batches_ahead (push_service=? AND vapid_key_id=? AND last_id>?)",
      exception,
      "SEARCH messages USING PRIMARY KEY (id=?)",
    ]);
    expect(reads(retriesOfRegistration(connection, 5, place))).toEqual([
      "SEARCH exception USING INDEX message_exceptions_of_registration (registration_id=?)",
      "SEARCH batches USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
    const like = { message_id: "m20", due_at_ms: 5, expires_at_ms: 9 };
    expect(reads(hostsOf(connection, like, place, "shared"))).toEqual([
      "SEARCH batches USING INDEX batches_hosting (message_id=? AND push_service=? AND vapid_key_id=?)",
    ]);
  });

  test("one that is gone reads the messages that are being sent, and a page its own registrations", () => {
    const sent = { message_id: "m20", project_id: 1 };
    expect(reads(passedBy(connection, sent, 5, place))).toEqual([
      expect.stringMatching(/^SEARCH messages USING INDEX messages_\w+ \(state=\?\)$/),
      expect.stringMatching(/^SEARCH batches USING INDEX batches_of_message \(message_id=\?/),
    ]);
    const row = {
      ...sent,
      id: 5,
      push_service: "o1",
      vapid_key_id: 1,
      push_origin: null,
      only_origins: null,
      except_origins: null,
      time_zones: null,
      lane: "shared",
      lease_epoch: 1,
      cursor: 0,
      last_id: 9,
      due_at_ms: 5,
      expires_at_ms: 9,
    };
    expect(readsRaw(elsewhere(row, [5, 7], ["o2"]))).toEqual([
      "SEARCH registrations USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
  });

  test("retention looks at the batches that there are, which are few", () => {
    expect(reads(endedBatches(connection, 10))[0]).toBe(
      "SEARCH batches USING INTEGER PRIMARY KEY (rowid=?)",
    );
  });

  test("endings read the batches that end, and the messages that are being sent", () => {
    expect(reads(expired(connection, 9))).toEqual([
      "SEARCH batches USING INDEX batches_expiring (expires_at_ms<?)",
    ]);
    const ofAbandoned = connection.selectFrom("batches").select("id").where(abandoned(9));
    expect(reads(ofAbandoned)).toEqual(["SEARCH batches USING INDEX batches_abandoned (state=?)"]);
    for (const query of [finish(connection, 9), pause(connection), resume(connection)]) {
      const steps = reads(query);
      expect(steps[0]).toMatch(/^SEARCH messages USING INDEX messages_\w+ \(state=\?\)$/);
      const others = steps
        .slice(1)
        .filter((step) => !step.startsWith("SEARCH breakers USING PRIMARY KEY"));
      for (const step of others) {
        expect(step).toMatch(
          /^SEARCH batches USING .*INDEX batches_of_message \(message_id=\? AND state=\?( AND held=\?)?\)$/,
        );
      }
    }
  });

  test("what waits at a destination is read from its open batches", () => {
    expect(readsRaw(waitingAt(at))).toEqual([
      "SEARCH batches USING INDEX batches_of_origin (push_origin=? AND vapid_key_id=?)",
    ]);
  });

  test("the queue reads the batches that are open", () => {
    // Each of these indexes has open batches alone.
    expect(reads(queue(connection, 9))).toEqual([
      expect.stringMatching(/^SCAN batches USING INDEX batches_(expiring|ahead)$/),
    ]);
  });
});
