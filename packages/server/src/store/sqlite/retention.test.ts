import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { oldestEnded } from "./removed-registrations.ts";
import {
  endedBefore,
  endedFirst,
  oldExceptions,
  oldReceipts,
  unusedBreakers,
  unusedGivenUp,
} from "./retention.ts";
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

  test("what is removed is found by its time, and no live registration is read", () => {
    const everyProject = expect.stringMatching(/^SCAN projects\b/);
    expect(readsOf(database, endedBefore(connection, 9, 5))).toEqual([
      everyProject,
      "SEARCH registrations USING COVERING INDEX registrations_ended (project_id=? AND ended_at_ms<?)",
    ]);
    expect(readsOf(database, endedFirst(connection))).toEqual([
      everyProject,
      "SEARCH registrations USING COVERING INDEX registrations_ended (project_id=? AND ended_at_ms>?)",
    ]);
    expect(readsOf(database, oldestEnded(connection, 1, 5))).toEqual([
      "SEARCH registrations USING COVERING INDEX registrations_ended (project_id=? AND ended_at_ms>?)",
    ]);
    const sql = { compile: () => oldReceipts(9, 5).compile(connection) };
    expect(readsOf(database, sql)).toEqual([
      "SEARCH receipts USING PRIMARY KEY (message_id=? AND registration_id=? AND kind=?)",
      expect.stringMatching(/^SEARCH messages USING .*INDEX messages_ended \(ended_at_ms<\?\)$/),
      "SEARCH receipts USING PRIMARY KEY (message_id=?)",
    ]);
    const exceptions = { compile: () => oldExceptions(9, 5).compile(connection) };
    expect(readsOf(database, exceptions)).toEqual([
      "SEARCH message_exceptions USING PRIMARY KEY (message_id=? AND registration_id=?)",
      expect.stringMatching(/^SEARCH messages USING .*INDEX messages_ended \(ended_at_ms<\?\)$/),
      "SEARCH exception USING PRIMARY KEY (message_id=?)",
    ]);
  });

  test("of what is known of push origins every row is looked at, and one row of whatever else there is", () => {
    const plans = [unusedBreakers(5), unusedGivenUp(5)].map((query) =>
      readsOf(database, { compile: () => query.compile(connection) }),
    );
    for (const step of plans.flat().filter((each) => each.startsWith("SCAN"))) {
      expect(step).toMatch(/^SCAN (breaker|host|projects)\b/);
    }
    expect(plans.flat()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^SEARCH batches USING .*INDEX batches_of_origin \(push_origin=\?/),
        "SEARCH audience_live USING PRIMARY KEY (project_id=? AND kind=? AND value=?)",
      ]),
    );
  });

  test("what belongs to a registration is found by an index", () => {
    for (const table of ["receipts", "message_exceptions"]) {
      const rows = database
        .prepare(`explain query plan delete from ${table} where registration_id in (1, 2)`)
        .all();
      expect(String(rows[0]?.["detail"])).toMatch(/^SEARCH .*INDEX \w+_of_registration/);
    }
  });
});
