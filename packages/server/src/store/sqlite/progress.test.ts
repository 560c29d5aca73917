import type { DatabaseSync } from "node:sqlite";
import type { Compilable } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { firstOfKey } from "./messages-of-key.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import {
  breakersHolding,
  exceptionsByReason,
  figuresByService,
  messagesByState,
} from "./progress.ts";
import { clicksOf } from "./receipts.ts";
import { liveByOrigin, liveOn } from "./registrations.ts";
import { fill, readsOf } from "./testing/query-plan.ts";

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  let database: DatabaseSync;
  let connection: Connection;
  beforeEach(() => {
    database = openDatabase(":memory:");
    migrate(database, 0);
    connection = connect(database);
    if (state === "analysed") fill(database);
  });
  afterEach(() => database.close());
  const reads = (query: Compilable) => readsOf(database, query);

  test("what a key has published that has not ended is found among all messages by an index", () => {
    const query = { compile: () => firstOfKey(1, 100).compile(connection) };
    expect(reads(query).filter((step) => step.includes(" messages "))).toEqual([
      "SEARCH messages USING INDEX messages_of_api_key (publisher_id=?)",
    ]);
  });

  test("the figures of a message are read from what is its own", () => {
    expect(reads(figuresByService(connection, "m"))).toEqual([
      "SEARCH message_services USING PRIMARY KEY (message_id=?)",
    ]);
    const reasons = { compile: () => exceptionsByReason("m").compile(connection) };
    expect(reads(reasons).filter((step) => step.startsWith("SEARCH"))).toEqual([
      "SEARCH exception_counts USING PRIMARY KEY (message_id=?)",
    ]);
    expect(reads(clicksOf(connection, "m"))).toEqual([
      expect.stringMatching(/^SEARCH receipts USING COVERING INDEX receipts_of_actions /),
    ]);
    expect(reads(breakersHolding(connection, "m")).toSorted()).toEqual([
      "SCAN breakers",
      expect.stringMatching(
        /^SEARCH batches .*USING (COVERING )?INDEX batches_\w+ \(.*message_id=\?/,
      ),
    ]);
  });

  test("messages by state are counted in an index, and registrations by push origin before anybody asks", () => {
    expect(reads(messagesByState(connection))).toEqual([
      "SCAN messages USING COVERING INDEX messages_by_state",
    ]);
    for (const query of [liveByOrigin(connection, 1), liveOn(connection, 1)]) {
      expect(reads(query)).toContain("SEARCH live_groups USING PRIMARY KEY (project_id=?)");
    }
  });
});

test("0014 counts what an earlier version wrote without a batch, where its registration is", async () => {
  const database = openDatabase(":memory:");
  migrate(database, 0, migrations.slice(0, 13));
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 0);
    insert into vapid_keys values (1, 1, 'key', x'00', 0, null);
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
      values (1, 't', x'00', 'e', x'00', 'p', 'a', 1, 'https://east.example', 'https://site.example', 0, 0);
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
        created_at_ms)
      values ('m', 1, '{"kind":"all"}', '{"title":"x"}', 60, 'normal', 'done', 0, 0);
    insert into message_exceptions (message_id, registration_id, kind, generation, attempts, reason, detail,
        changed_at_ms)
      values ('m', 1, 'rejected', 1, 3, 'too-large', '', 0);
  `);
  migrate(database, 1);
  const { rows } = await exceptionsByReason("m").execute(connect(database));
  expect(rows).toEqual([
    {
      pushOrigin: "https://east.example",
      kind: "rejected",
      reason: "too-large",
      detail: "",
      count: 1,
    },
  ]);
  database.close();
});
