/** What SQLite reads for the list of messages and for a message's page, and how it is with a hundred thousand of them. */
import type { DatabaseSync } from "node:sqlite";
import type { Compilable } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { exceptionsOf, exceptionsPage, endOfSlice, idsInSlice } from "./exceptions.ts";
import { hoursOf } from "./message-hours.ts";
import { idsBefore, idsWith, listedIds } from "./message-list.ts";
import { rowsOf } from "./messages.ts";
import { migrate } from "./migrate.ts";
import { indexMessages, matchOf } from "./search-index.ts";
import { fill, readsOf } from "./testing/query-plan.ts";

let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => database.close());

/** Every one of them says "pão"; few are scheduled, and few say "bolo" or "パン". */
function fillMessages(count: number): void {
  fill(database);
  database.exec(`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms)
    select printf('%08d', n), 1, iif(n % 1000 = 7, '{"kind":"user","userId":"baker"}', '{"kind":"all"}'),
      json_object('title', case n % 1000 when 0 then 'Bolo' when 2 then '新しいパン' else 'Olá' end, 'body', 'O pão saiu do forno.'), 60, 'normal',
      iif(n % 1000 = 1, 'scheduled', 'done'), n, n from number;
  `);
  indexMessages(database);
  database.exec("analyze");
}

const filters = {
  none: {},
  state: { state: "done" },
  kind: { targetKind: "user" },
  times: { scheduledFromMs: 1, scheduledBeforeMs: 5 },
  all: { state: "done", targetKind: "user", scheduledFromMs: 1, scheduledBeforeMs: 5 },
} as const;

describe.each(["fresh", "analysed"])("in a %s database", (state) => {
  beforeEach(() => {
    if (state === "analysed") fillMessages(2_000);
  });
  const reads = (query: Compilable) => readsOf(database, query);

  test.for(Object.entries(filters))(
    "a page of the list, filtered by %s, walks an index and no message",
    ([, filter]) => {
      const page = { beforeId: "0199", limit: 20, filter };
      expect(reads(idsBefore(connection, 1, page))).toEqual([
        expect.stringMatching(
          /^SEARCH messages USING COVERING INDEX messages_listed \(project_id=\? AND id<\?\)$/,
        ),
      ]);
    },
  );

  test.for(
    Object.entries(filters).flatMap(([name, filter]) =>
      ["pao", "新しい"].map((search) => ({ name, filter, search })),
    ),
  )(
    "a page of the search for $search, filtered by $name, walks what has the words",
    ({ filter, search }) => {
      const page = { beforeId: "0199", limit: 20, filter, match: matchOf(search) ?? "" };
      expect(reads(idsWith(connection, 1, page))).toEqual([
        expect.stringMatching(/^SCAN message_words VIRTUAL TABLE INDEX .*M\d<$/),
        "SEARCH message_numbers USING COVERING INDEX sqlite_autoindex_message_numbers_1 (message_id<?)",
        "SEARCH message_numbers USING INTEGER PRIMARY KEY (rowid=?)",
        expect.stringMatching(
          /^SEARCH messages USING (PRIMARY KEY|COVERING INDEX messages_listed)/,
        ),
      ]);
    },
  );

  test("the messages of a page are read by their ids", () => {
    expect(reads(rowsOf(connection, ["m"]))).toEqual([
      "SEARCH messages USING PRIMARY KEY (id=?)",
      // The names of publishers.
      "SEARCH key USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH one USING INTEGER PRIMARY KEY (rowid=?)",
      "SEARCH successor USING COVERING INDEX messages_by_replaced (replaces=?)",
    ]);
  });

  test("the exceptions and hours of a message are read from what is its own", () => {
    expect(reads(endOfSlice(connection, "m", 5, 100))).toEqual([
      "SEARCH message_exceptions USING PRIMARY KEY (message_id=? AND registration_id>?)",
    ]);
    const sought = { kind: "failed", reason: "too-large", limit: 100 } as const;
    expect(reads(idsInSlice(connection, "m", { afterId: 5, lastId: 9 }, sought))).toEqual([
      "SEARCH message_exceptions USING PRIMARY KEY (message_id=? AND registration_id>? AND registration_id<?)",
    ]);
    expect(reads(exceptionsOf(connection, "m", [1, 2])).toSorted()).toEqual([
      expect.stringMatching(
        /^SEARCH exception USING .* \((message_id=\? AND registration_id|registration_id=\? AND message_id)=\?\)$/,
      ),
      "SEARCH registrations USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    ]);
    expect(reads(hoursOf(connection, "m"))).toEqual([
      "SEARCH message_hours USING PRIMARY KEY (message_id=?)",
    ]);
  });
});

test("each search and filter finds its own among a hundred thousand, to the last", async () => {
  fillMessages(100_000);
  const walk = async (filter: Parameters<typeof listedIds>[2]["filter"], limit = 90) => {
    const ids: string[] = [];
    for (let beforeId: string | undefined; ; beforeId = ids.at(-1)) {
      const page = await listedIds(connection, 1, { beforeId, limit, filter });
      ids.push(...page);
      if (page.length < limit) return ids;
    }
  };
  const every = (rest: number) =>
    Array.from({ length: 100 }, (_, index) => String((99 - index) * 1000 + rest).padStart(8, "0"));
  const cakes = every(1000);
  expect(await walk({ search: "BÔLO" })).toEqual(cakes);
  expect(await walk({ search: "pao bolo", state: "done" })).toEqual(cakes);
  expect(await walk({ search: "パン" })).toEqual(every(2));
  expect(await walk({ search: "pao", state: "scheduled" })).toEqual(every(1));
  expect(await walk({ search: "pao", targetKind: "user" })).toEqual(every(7));
  expect(await walk({ state: "scheduled" })).toEqual(every(1));
  expect(await walk({ targetKind: "user" })).toEqual(every(7));
  expect(await walk({ scheduledFromMs: 5, scheduledBeforeMs: 8 })).toEqual([
    "00000007",
    "00000006",
    "00000005",
  ]);
  expect(await walk({ search: "pao" }, 9_999)).toHaveLength(100_000);
});

test("the few of one reason are found behind many of another, and who moved is left out", async () => {
  fillMessages(1);
  database.exec(`
    with recursive number (n) as (select 5001 union all select n + 1 from number where n < 12000)
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
    select 1, 'token ' || n, x'00', 'e' || n, cast('e' || n as blob), 'p', 'a', 1, 'o', 'o', 0, 0 from number;
    insert into message_exceptions (message_id, registration_id, push_origin, kind, generation, attempts, reason, detail,
      changed_at_ms)
    select '00000001', id, 'o', iif(id = 8000, 'accepted', 'rejected'), 1, 1,
      iif(id % 4000 = 0, 'too-large', 'request-refused'), '', 0 from registrations;
  `);
  const page = (afterId: number, limit: number) =>
    exceptionsPage(connection, "00000001", { afterId, limit, reason: "too-large" });
  expect(await page(0, 9)).toMatchObject({
    exceptions: [{ token: "token 4000" }, { token: "token 12000" }],
    nextAfterId: null,
  });
  expect(await page(0, 1)).toMatchObject({
    exceptions: [{ token: "token 4000", pushOrigin: "o" }],
    nextAfterId: 4000,
  });
  expect(await page(4000, 1)).toMatchObject({
    exceptions: [{ token: "token 12000" }],
    nextAfterId: null,
  });
});
