import type { DatabaseSync } from "node:sqlite";
import type { Compilable } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageTarget } from "../port.ts";
import { audience, audienceGroups, between, endOfPart, oneOf } from "./audience.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { readsOf, fill } from "./testing/query-plan.ts";
import { topicsWithCounts } from "./topics.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => database.close());

const token = /^SEARCH registrations USING INDEX sqlite_autoindex_registrations_1 \(token=\?\)$/;
const byId = /^SEARCH registrations USING .*[( ](rowid|id)=\?\)$/;
/** Of live registrations, or of all of them: no more than the part between two ids. */
const range =
  /^SEARCH registrations USING (INDEX registrations_live|INTEGER PRIMARY KEY) .*id>\? AND \w+<\?\)$/;
const topic =
  /^SEARCH topics USING COVERING INDEX sqlite_autoindex_topics_1 \(project_id=\? AND name=\?\)$/;
const ofUser =
  /^SEARCH registrations USING INDEX registrations_of_user \(project_id=\? AND user_id=\? AND rowid>\? AND rowid<\?\)$/;
const members =
  /^SEARCH registration_topics USING PRIMARY KEY \(topic_id=\? AND registration_id>\? AND registration_id<\?\)$/;
/** Whether one registration is in one topic, by either of the two keys that have both. */
const membership =
  /^SEARCH registration_topics (EXISTS )?USING .*\((topic_id=\? AND registration_id=\?|registration_id=\? AND topic_id=\?)\)$/;

/** How each kind of target is read: page by page, and where registrations are named by their ids. */
const targets: Record<MessageTarget["kind"], [MessageTarget, page: RegExp[], retries: RegExp[]]> = {
  all: [{ kind: "all" }, [range], [byId]],
  token: [{ kind: "token", token: "token 7" }, [token], [token]],
  tokens: [{ kind: "tokens", tokens: ["token 7", "token 8"] }, [token], [token]],
  user: [{ kind: "user", userId: "baker" }, [ofUser], [byId]],
  topic: [{ kind: "topic", topic: "small" }, [members, topic, byId], [membership, topic, byId]],
  condition: [
    { kind: "condition", condition: "'large' in topics && !('small' in topics || 'x' in topics)" },
    [range, membership, topic, membership, topic, membership, topic],
    [byId, membership, topic, membership, topic, membership, topic],
  ],
};

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  beforeEach(() => {
    if (state === "analysed") fill(database);
  });
  const reads = (query: Compilable) => readsOf(database, query);

  test.for(Object.values(targets))(
    "a message to %j reads its audience alone",
    ([target, page, retries]) => {
      const to = { projectId: 1, target };
      const part = between(10, 900);
      const matching = (patterns: RegExp[]) => patterns.map((each) => expect.stringMatching(each));
      const ofPage = reads(audience(connection, to, part, 500));
      expect(ofPage).toEqual(matching(page));
      const ofRetries = reads(audience(connection, to, oneOf([1, 2]), 2));
      expect(ofRetries).toEqual(matching(retries));
      const ofGroups = reads(audienceGroups(connection, to, part));
      expect(ofGroups).toEqual(matching(page));
      const walk = { afterId: 10, lastId: 900, keys: 100 };
      const ofWalk = reads(endOfPart(connection, to, walk));
      expect(ofWalk).toEqual(matching(target.kind === "condition" ? [range] : page));
    },
  );

  test("a condition looks each topic up once, however often it names it", () => {
    const either = "('large' in topics || !('small' in topics))";
    const condition = Array.from({ length: 20 }, () => either).join(" && ");
    const to = { projectId: 1, target: { kind: "condition", condition } } as const;
    const lookups = reads(audience(connection, to, between(10, 900), 500)).filter((read) =>
      membership.test(read),
    );
    expect(lookups).toHaveLength(2);
  });

  test("the list of topics reads them alone", () => {
    expect(reads(topicsWithCounts(connection, 1))).toEqual([
      "SEARCH topics USING INDEX sqlite_autoindex_topics_1 (project_id=?)",
    ]);
  });
});
