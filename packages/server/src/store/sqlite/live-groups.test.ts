/** The counts of live registrations that triggers keep: always what counting anew would give. */
import type { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";

let database: DatabaseSync;
beforeEach(() => {
  database = openDatabase(":memory:");
});
afterEach(() => database.close());

const earlier = migrations.filter(({ name }) => name < "0007");

function prepare(): void {
  database.exec(`
    insert into projects (id, name, created_at_ms) values (1, 'default', 0), (2, 'other', 0);
    insert into vapid_keys values (1, 1, 'a', x'00', 0, null), (2, 1, 'b', x'00', 0, null);
  `);
}

function add(name: string, { project = 1, key = 1, pushOrigin = "east", origin = "site" } = {}) {
  database
    .prepare(
      `insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
        vapid_key_id, push_origin, origin, created_at_ms, refreshed_at_ms)
      values (?, ?, x'00', ?, cast(? as blob), 'p', 'a', ?, ?, ?, 0, 0)`,
    )
    .run(project, name, name, name, key, pushOrigin, origin);
}

/** As the schema demands of one that has ended, and of one that is live. */
const scrubbed = "endpoint = null, endpoint_hash = null, p256dh = null, auth = null";
const wholeWith = (endpoint: string) =>
  `endpoint = ${endpoint}, endpoint_hash = cast(token as blob), p256dh = 'p', auth = 'a'`;
const whole = wholeWith("token");
const large = wholeWith("token || hex(zeroblob(300))");

const kept = () =>
  database
    .prepare("select * from live_groups order by project_id, push_origin, vapid_key_id, origin")
    .all();
const counted = () =>
  database
    .prepare(
      `select project_id, push_origin, vapid_key_id, origin, count(*) as registrations from registrations
      where ended_at_ms is null group by project_id, push_origin, vapid_key_id, origin
      order by project_id, push_origin, vapid_key_id, origin`,
    )
    .all();

const ofProjects = (columns: string) =>
  database.prepare(`select id, ${columns} from projects order by id`).all();

test("what an earlier version registered is counted", () => {
  migrate(database, 0, earlier);
  prepare();
  for (const name of ["a", "b", "c"]) add(name, { pushOrigin: name === "c" ? "west" : "east" });
  add("d");
  database.exec(
    `update registrations set ${scrubbed}, ended_at_ms = 5, end_reason = 'left' where token = 'd'`,
  );
  migrate(database, 1);
  expect(kept()).toMatchObject([
    { push_origin: "east", registrations: 2 },
    { push_origin: "west", registrations: 1 },
  ]);
  expect(ofProjects("live_registrations, ended_registrations")[0]).toMatchObject({
    live_registrations: 3,
    ended_registrations: 1,
  });
});

const life = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant("add" as const),
      project: fc.constantFrom(1, 2),
      key: fc.constantFrom(1, 2),
      pushOrigin: fc.constantFrom("east", "west"),
      origin: fc.constantFrom("site", "shop"),
    }),
    fc.record({
      do: fc.constant("change" as const),
      of: fc.nat(4),
      key: fc.constantFrom(1, 2),
      pushOrigin: fc.constantFrom("east", "west"),
      origin: fc.constantFrom("site", "shop", ""),
      isLive: fc.boolean(),
      // One that is large is written anew when it ends.
      isLarge: fc.boolean(),
    }),
    fc.record({ do: fc.constant("remove" as const), of: fc.nat(4) }),
  ),
  { maxLength: 40, size: "max" },
);

test("they follow whatever becomes of registrations", () => {
  migrate(database, 0);
  prepare();
  fc.assert(
    fc.property(life, (steps) => {
      database.exec("delete from registrations");
      let made = 0;
      for (const step of steps) {
        const ids = database.prepare("select id from registrations order by id").all();
        if (step.do === "add") {
          add(`r${(made += 1)}`, step);
          continue;
        }
        const id = ids[step.of]?.["id"];
        if (id === undefined) continue;
        if (step.do === "remove") {
          database.prepare("delete from registrations where id = ?").run(id);
          continue;
        }
        database
          .prepare(
            `update registrations set ${step.isLive ? (step.isLarge ? large : whole) : scrubbed}, vapid_key_id = ?, push_origin = ?, origin = ?, ended_at_ms = ?, end_reason = ?
            where id = ?`,
          )
          .run(
            step.key,
            step.pushOrigin,
            step.origin,
            step.isLive ? null : 5,
            step.isLive ? null : "gone",
            id,
          );
      }
      expect(kept()).toEqual(counted());
      expect(ofProjects("live_registrations, ended_registrations")).toEqual(
        ofProjects(`(select count(*) from registrations where project_id = projects.id and ended_at_ms is null)
            as live_registrations,
          (select count(*) from registrations where project_id = projects.id and ended_at_ms is not null)
            as ended_registrations`),
      );
    }),
  );
});
