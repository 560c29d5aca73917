/** What SQLite reads for the lists and figures of the audience: nothing of it grows with a million registrations. */
import type { DatabaseSync } from "node:sqlite";
import type { Compilable, RawBuilder } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RegistrationFilter } from "../port.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { endOfWalk, idsOnPage } from "./registration-list.ts";
import { exceptionsOf, receiptsOf } from "./registration-story.ts";
import { fill, readsOf } from "./testing/query-plan.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => database.close());

const listed = (range: string) =>
  `SEARCH registrations USING COVERING INDEX registrations_listed (<expr>=? AND ${range})`;
const token = "SEARCH registrations USING INDEX sqlite_autoindex_registrations_1 (token=?)";
const members = (range: string) =>
  `SEARCH registration_topics USING PRIMARY KEY (topic_id=? AND ${range})`;
const all: RegistrationFilter = {
  state: "removed",
  browser: "chrome",
  system: "linux",
  language: "pt",
  pushHosts: { hosts: ["a.example", ".b.example"], none: true },
};

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  beforeEach(() => {
    if (state === "analysed") fill(database);
  });
  const reads = (query: Compilable) => readsOf(database, query);
  const readsRaw = (query: RawBuilder<unknown>) =>
    reads({ compile: () => query.compile(connection) });
  const page = (filter: RegistrationFilter) =>
    readsRaw(idsOnPage(1, filter, { from: 10, beforeId: 900, limit: 50 }));
  const end = (filter: RegistrationFilter) =>
    readsRaw(endOfWalk(1, filter, { beforeId: 900, keys: 100 }));

  test.for<[string, RegistrationFilter]>([
    ["nothing", {}],
    ["all that a row says", all],
    ["another language", { language: "other" }],
    ["no language", { language: "unknown" }],
    ["the live ones", { state: "live" }],
  ])("a page by %s reads its part of one index, and no row", ([, filter]) => {
    expect(page(filter)).toEqual([listed("id>? AND id<?")]);
    expect(end(filter)).toEqual([listed("id<?")]);
  });

  test("a page of a topic reads who is in it, in its part", () => {
    const steps = page({ ...all, topicId: 2 });
    expect(steps).toEqual([
      members("registration_id>? AND registration_id<?"),
      "SEARCH registrations USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
    expect(end({ ...all, topicId: 2 })).toEqual([members("registration_id<?")]);
  });

  test("a page of a user reads what is the user's", () => {
    expect(page({ ...all, userId: "baker" })).toEqual([
      "SEARCH registrations USING INDEX registrations_of_user (project_id=? AND user_id=? AND rowid>? AND rowid<?)",
    ]);
    expect(end({ userId: "baker" })).toEqual([
      "SEARCH registrations USING COVERING INDEX registrations_of_user (project_id=? AND user_id=? AND rowid<?)",
    ]);
  });

  test("a token is looked up", () => {
    expect(page({ ...all, token: "token 7" })).toEqual([token]);
    expect(end({ token: "token 7" })).toEqual([token]);
    const [first] = page({ ...all, token: "token 7", topicId: 2, userId: "baker" });
    expect(first).toBe(token);
  });

  test("the story of one reads what is its own", () => {
    expect(reads(exceptionsOf(connection, 7, 10))[0]).toBe(
      "SEARCH message_exceptions USING INDEX exceptions_of_registration (registration_id=?)",
    );
    expect(reads(receiptsOf(connection, 7, 10))[0]).toBe(
      "SEARCH receipts USING INDEX receipts_of_registration (registration_id=?)",
    );
  });
});
