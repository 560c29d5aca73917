import type { DatabaseSync } from "node:sqlite";
import type { Compilable } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageTarget } from "../port.ts";
import { audience, between, oneOf } from "./audience.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { topicsWithCounts } from "./topics.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => database.close());

/** Many registrations, a topic that all are in and one with few, a user with a few; and what SQLite learns of it. */
function fill(): void {
  database.exec(`
    insert into projects values (1, 'default', 0);
    insert into vapid_keys values (1, 1, 'key', x'00', 0, null);
    insert into topics values (1, 1, 'large', 'open', 0), (2, 1, 'small', 'open', 0);
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 5000)
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, user_id, created_at_ms, refreshed_at_ms)
    select 1, 'token ' || n, x'00', 'e' || n, cast('e' || n as blob), 'p', 'a', 1, 'o', 'o',
      iif(n % 1000 = 0, 'baker', null), 0, 0 from number;
    insert into registration_topics select 1, id, 0 from registrations;
    insert into registration_topics select 2, id, 0 from registrations where id % 1000 = 0;
    analyze;
  `);
}

/** The steps that SQLite takes, as it tells of them (SQLite documentation, "EXPLAIN QUERY PLAN"). */
function planOf(query: Compilable): string[] {
  const { sql, parameters } = query.compile();
  const rows = database.prepare(`explain query plan ${sql}`).all(...(parameters as string[]));
  return rows.map((row) => String(row["detail"]));
}

const token = /^SEARCH registrations USING INDEX sqlite_autoindex_registrations_1 \(token=\?\)$/;
const byId = /^SEARCH registrations USING .*[( ](rowid|id)=\?\)$/;
const topic =
  /^SEARCH topics USING COVERING INDEX sqlite_autoindex_topics_1 \(project_id=\? AND name=\?\)$/;

const targets: Record<MessageTarget["kind"], [MessageTarget, page: RegExp[], retries: RegExp[]]> = {
  all: [
    { kind: "all" },
    [
      /^SEARCH registrations USING (INDEX registrations_live|INTEGER PRIMARY KEY) .*id>\? AND \w+<\?\)$/,
    ],
    [byId],
  ],
  token: [{ kind: "token", token: "token 7" }, [token], [token]],
  user: [
    { kind: "user", userId: "baker" },
    [
      /^SEARCH registrations USING INDEX registrations_of_user \(project_id=\? AND user_id=\? AND rowid>\? AND rowid<\?\)$/,
    ],
    [byId],
  ],
  topic: [
    { kind: "topic", topic: "small" },
    [
      /^SEARCH registration_topics USING PRIMARY KEY \(topic_id=\? AND registration_id>\? AND registration_id<\?\)$/,
      topic,
      byId,
    ],
    [/^SEARCH registration_topics USING .*registration_id=\?/, topic, byId],
  ],
};

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  beforeEach(() => {
    if (state === "analysed") fill();
  });
  /** Without the brackets of a plan, and without the list that a query brings along. */
  const steps = (plan: string[]) => plan.filter((step) => !/SUBQUERY|BLOOM|json_each/.test(step));

  test.for(Object.values(targets))(
    "a message to %j reads its audience alone",
    ([target, page, retries]) => {
      const to = { projectId: 1, target };
      const matching = (patterns: RegExp[]) => patterns.map((each) => expect.stringMatching(each));
      const ofPage = steps(planOf(audience(connection, to, between(10, 900), 500)));
      expect(ofPage).toEqual(matching(page));
      const ofRetries = steps(planOf(audience(connection, to, oneOf([1, 2]), 2)));
      expect(ofRetries).toEqual(matching(retries));
    },
  );

  test("the list of topics reads who is in them, and no other registration", () => {
    expect(steps(planOf(topicsWithCounts(connection, 1)))).toEqual([
      "SEARCH topics USING INDEX sqlite_autoindex_topics_1 (project_id=?)",
      "SEARCH registration_topics USING PRIMARY KEY (topic_id=?)",
      "SEARCH registrations USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
  });
});
