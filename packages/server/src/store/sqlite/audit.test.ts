import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { linesOf } from "./audit.ts";
import { connect, openDatabase } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { readsOf } from "./testing/query-plan.ts";

let database: DatabaseSync;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  const now = Date.now();
  for (const at of [now, now]) {
    database.exec(
      `insert into audit (at_ms, actor_kind, actor, action, subject) values (${at}, 'server', '', 'x.done', '')`,
    );
  }
});
afterEach(() => database.close());

test.for([
  "update audit set actor = 'another'",
  "delete from audit where id = 1",
  "insert or replace into audit (id, at_ms, actor_kind, actor, action, subject) values (1, 0, 'server', 'another', 'x', '')",
  "replace into audit (id, at_ms, actor_kind, actor, action, subject) values (2, 0, 'server', 'another', 'x', '')",
  "insert into audit (id, at_ms, actor_kind, actor, action, subject) values (0, 0, 'server', 'another', 'x', '')",
])("the database refuses: %s", (statement) => {
  expect(() => database.exec(statement)).toThrow(/append-only/);
  const rows = database.prepare("select id, actor from audit").all();
  expect(JSON.parse(JSON.stringify(rows))).toEqual([
    { id: 1, actor: "" },
    { id: 2, actor: "" },
  ]);
});

test.for([
  [{}, "audit_of_project (project_id=? AND id<?)"],
  [{ action: "x.done" }, "audit_of_project_by_action (project_id=? AND action=? AND id<?)"],
  [{ actor: "one" }, "audit_of_project_by_actor (project_id=? AND actor=? AND id<?)"],
] as const)("%j is read along an index, without sorting", ([filter, index]) => {
  for (const projectId of [1, null]) {
    const page = { ...filter, beforeId: 1000, fromId: undefined, limit: 100 };
    const query = linesOf(connect(database), projectId, page);
    expect(readsOf(database, query)).toEqual([`SEARCH audit USING INDEX ${index}`]);
    const plan = database.prepare(`explain query plan ${query.compile().sql}`).all();
    expect(JSON.stringify(plan)).not.toContain("TEMP B-TREE");
  }
});
