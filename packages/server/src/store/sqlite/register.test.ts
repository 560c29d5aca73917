/** Browsers that are registered at once are written and counted together: it has to be as if they had come one by one. */
import { createHash } from "node:crypto";
import { type DatabaseSync, StatementSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { decide } from "../../registrations/rules.ts";
import { asBrowser } from "../../topics/rules.ts";
import type { RegistrationCandidate, RegistrationStore } from "../port.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { groupWrites } from "./grouped-writes.ts";
import { migrate } from "./migrate.ts";
import { registrationStore } from "./registrations.ts";

const dayMs = 86_400_000;

type World = { database: DatabaseSync; connection: Connection; store: RegistrationStore };
const open: DatabaseSync[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const database of open.splice(0)) database.close();
});

function makeWorld(): World {
  const database = openDatabase(":memory:");
  open.push(database);
  migrate(database, 0);
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 0), (2, 'other', 0);
    insert into vapid_keys values (1, 1, 'a', x'00', 0, null), (2, 2, 'b', x'00', 0, null);
    insert into topics (id, project_id, name, policy, created_at_ms) values (1, 1, 'bread', 'open', 0);
  `);
  const connection = connect(database);
  return {
    database,
    connection,
    store: registrationStore(connection, groupWrites(connection), connection),
  };
}

const candidateOf = (
  name: string,
  over: Partial<RegistrationCandidate> = {},
): RegistrationCandidate => {
  const { endpoint = `https://push.example/${name}` } = over;
  const projectId = over.projectId ?? 1;
  return {
    projectId,
    endpoint,
    endpointHash: createHash("sha256").update(endpoint).digest(),
    p256dh: "p",
    auth: "a",
    vapidKeyId: projectId,
    pushOrigin: "https://push.example",
    origin: "https://site.example",
    locale: "pt-PT",
    timeZone: "Europe/Lisbon",
    browser: "chrome",
    system: "linux",
    clientSecretHash: Buffer.from("secret"),
    earlierToken: null,
    loss: null,
    newToken: `token ${name}`,
    ...over,
  };
};

function register(
  { store }: World,
  candidate: RegistrationCandidate,
  nowMs = dayMs,
  joins: string[] = [],
) {
  const membership = joins.length === 0 ? undefined : asBrowser({ joins, user: undefined });
  return store.register(candidate, (found) => decide(candidate, found), nowMs, membership);
}

const rows = ({ database }: World, sql: string) => database.prepare(sql).all();

/** Who comes first gets the lower id, and those that are new come first. */
const withoutIds = (world: World) =>
  rows(world, "select * from registrations order by token").map((row) =>
    Object.assign(row, { id: 0 }),
  );

const goneEndpoints = "select * from gone_endpoints";
const losses =
  "select token, cause, gone_at_ms, returned_at_ms, confirmed_at_ms, times from registration_losses join registrations on id = registration_id order by token";
const returns = "select * from audience_returns";

/** What every count is, kept and counted anew. */
function figures(world: World) {
  const live = "from registrations where ended_at_ms is null";
  const recounted = [
    "push-origin push_origin",
    "browser browser",
    "system system",
    "language language",
  ]
    .map((each) => each.split(" "))
    .map(
      ([kind, column]) =>
        `select project_id, '${kind}' as kind, ${column} as value, count(*) as live ${live} group by 1, 3`,
    )
    .join(" union all ");
  return {
    kept: [
      rows(
        world,
        "select id as project_id, live_registrations as live from projects where live > 0 order by 1",
      ),
      rows(world, "select * from audience_live order by 1, 2, 3"),
      rows(world, "select * from live_groups order by 1, 2, 3, 4"),
      rows(
        world,
        "select project_id, sum(registered) as came from audience_days group by 1 order by 1",
      ),
    ],
    counted: [
      rows(world, `select project_id, count(*) as live ${live} group by 1 order by 1`),
      rows(world, `select * from (${recounted}) order by 1, 2, 3`),
      rows(
        world,
        `select project_id, push_origin, vapid_key_id, origin, count(*) as registrations ${live} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
      ),
      rows(world, "select project_id, count(*) as came from registrations group by 1 order by 1"),
    ],
  };
}

const visits = fc.array(
  fc.record({
    projectId: fc.constantFrom(1, 2),
    browserNumber: fc.nat(6),
    isMine: fc.boolean(),
    earlierToken: fc.constantFrom(null, null, "token early", "token gone", "token of nobody"),
    browser: fc.constantFrom("chrome" as const, "firefox" as const),
    locale: fc.constantFrom(null, "pt-BR", "DE", "not a language"),
    origin: fc.constantFrom("https://site.example", "https://shop.example"),
    day: fc.constantFrom(3, 4),
    joins: fc.constantFrom<string[]>([], [], ["bread"], ["nothing"]),
    loss: fc.constantFrom(
      null,
      { cause: "subscription-missing" as const, confirmedAtMs: 1 },
      { cause: "worker-replaced" as const, confirmedAtMs: 2 },
    ),
  }),
  { maxLength: 12, size: "max" },
);

test("those that come at once get the answers of those that come one by one, and the figures are the same and right", async () => {
  await fc.assert(
    fc.asyncProperty(visits, fc.constantFrom(100, 100, 4, 6), async (list, quota) => {
      const asked = list.map(
        ({ projectId, browserNumber, isMine, day, joins, loss, ...over }, place) => ({
          candidate: candidateOf(`new ${place}`, {
            ...over,
            // A loss is of an earlier registration.
            loss: over.earlierToken === null ? null : loss,
            projectId,
            endpoint: `https://push.example/${browserNumber}`,
            clientSecretHash: Buffer.from(isMine ? "secret" : "theirs"),
          }),
          nowMs: day * dayMs,
          joins,
        }),
      );
      const worlds = [makeWorld(), makeWorld()] as const;
      for (const world of worlds) {
        world.database.exec(`update projects set registrations_quota = ${quota}`);
        await register(world, candidateOf("early"));
        await register(world, candidateOf("gone", { endpoint: "https://push.example/6" }));
        world.database.exec(`
          insert into gone_endpoints (project_id, endpoint_hash, registration_id, gone_at_ms)
            select project_id, endpoint_hash, id, 5 from registrations where token = 'token gone';
          update registrations set ended_at_ms = 5, end_reason = 'gone', endpoint = null, endpoint_hash = null,
          p256dh = null, auth = null where token = 'token gone'`);
      }
      const [together, apart] = worlds;
      const results = await Promise.all(
        asked.map(({ candidate, nowMs, joins }) => register(together, candidate, nowMs, joins)),
      );
      const expected = [];
      for (const { candidate, nowMs, joins } of asked) {
        expected.push(await register(apart, candidate, nowMs, joins));
      }
      expect(results).toEqual(expected);
      expect(withoutIds(together)).toEqual(withoutIds(apart));
      expect(rows(together, goneEndpoints)).toEqual(rows(apart, goneEndpoints));
      expect(rows(together, losses)).toEqual(rows(apart, losses));
      expect(rows(together, returns)).toEqual(rows(apart, returns));
      const { kept, counted } = figures(together);
      expect(kept).toEqual(counted);
      expect(kept).toEqual(figures(apart).kept);
      together.database
        .exec(`update registrations set ended_at_ms = 6, end_reason = 'gone', endpoint = null, endpoint_hash = null,
        p256dh = null, auth = null where ended_at_ms is null`);
      expect(rows(together, "select * from audience_live")).toEqual([]);
      expect(rows(together, "select * from live_groups")).toEqual([]);
      for (const { database } of worlds) database.close();
      open.length = 0;
    }),
    { numRuns: 40 },
  );
});

describe("many at once", () => {
  test("share what is asked and counted for them", async () => {
    const world = makeWorld();
    await register(world, candidateOf("first"));
    const began = vi.spyOn(world.connection, "transaction");
    const ran = [
      vi.spyOn(StatementSync.prototype, "all"),
      vi.spyOn(StatementSync.prototype, "run"),
    ];
    const names = Array.from({ length: 100 }, (_, index) => `${index}`);
    const results = await Promise.all(names.map((name) => register(world, candidateOf(name))));
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["new"]));
    expect(began).toHaveBeenCalledTimes(1);
    // One for each, and a few for all.
    const statements = ran.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    expect(statements).toBeLessThan(names.length + 10);
    const { kept, counted } = figures(world);
    expect(kept).toEqual(counted);
  });

  test("of one and the same browser register it once", async () => {
    const world = makeWorld();
    const same = { endpoint: "https://push.example/same" };
    const results = await Promise.all(
      ["a", "b", "c"].map((name) => register(world, candidateOf(name, same))),
    );
    expect(results).toEqual([
      { kind: "new", token: "token a" },
      { kind: "refreshed", token: "token a" },
      { kind: "refreshed", token: "token a" },
    ]);
  });

  test("have no more room than the quota leaves, in each project", async () => {
    const world = makeWorld();
    world.database.exec("update projects set registrations_quota = 3 where id = 1");
    await register(world, candidateOf("first"));
    const results = await Promise.all([
      ...["a", "b", "c", "d"].map((name) => register(world, candidateOf(name))),
      register(world, candidateOf("e", { projectId: 2 })),
      register(world, candidateOf("f"), dayMs, ["bread"]),
      register(world, candidateOf("again", { endpoint: "https://push.example/first" })),
    ]);
    const refused = { kind: "refused", code: "quota-reached" };
    expect(results).toEqual([
      { kind: "new", token: "token a" },
      { kind: "new", token: "token b" },
      refused,
      refused,
      { kind: "new", token: "token e" },
      refused,
      { kind: "refreshed", token: "token first" },
    ]);
    // Which may be set below what there is.
    world.database.exec("update projects set registrations_quota = 1 where id = 1");
    const more = ["g", "h", "i", "j"].map((name) => register(world, candidateOf(name)));
    expect(await Promise.all(more)).toEqual([refused, refused, refused, refused]);
    const { kept, counted } = figures(world);
    expect(kept).toEqual(counted);
  });

  test("are registered after somebody among them has left", async () => {
    const world = makeWorld();
    const same = { endpoint: "https://push.example/same" };
    await register(world, candidateOf("before", same));
    const [, left, again] = await Promise.all([
      register(world, candidateOf("other")),
      world.store.leave(1, dayMs),
      register(world, candidateOf("again", same)),
    ]);
    expect([left, again]).toEqual([true, { kind: "new", token: "token again" }]);
  });

  test("do not fail because one of them cannot be written", async () => {
    const world = makeWorld();
    const results = await Promise.allSettled([
      register(world, candidateOf("a")),
      register(world, candidateOf("b", { vapidKeyId: 99 })),
      register(world, candidateOf("c")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(rows(world, "select token from registrations")).toEqual([
      { token: "token a" },
      { token: "token c" },
    ]);
    const { kept, counted } = figures(world);
    expect(kept).toEqual(counted);
  });
});
