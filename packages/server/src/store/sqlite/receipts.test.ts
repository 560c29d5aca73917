import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewReceipt, ReceiptStore } from "../port.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { groupWrites } from "./grouped-writes.ts";
import { migrate } from "./migrate.ts";
import { receiptStore } from "./receipts.ts";
import { fill } from "./testing/query-plan.ts";

let database: DatabaseSync;
let connection: Connection;
let store: ReceiptStore;
beforeEach(() => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  fill(database);
  database.exec(`
    insert into projects (id, name, created_at_ms) values (2, 'other', 0);
    insert into messages (id, project_id, target, notification, ttl_seconds, urgency, state, scheduled_at_ms,
      created_at_ms) values ('m1', 1, '{}', '{"title":"x"}', 60, 'normal', 'done', 5, 5),
      ('m2', 1, '{}', '{"title":"x"}', 60, 'normal', 'done', 5, 5);
  `);
  connection = connect(database);
  store = receiptStore(groupWrites(connection), connection);
});
afterEach(() => database.close());

const hourMs = 3_600_000;

const add = (number: number, more: Partial<NewReceipt> = {}, atMs = 5) =>
  store.add(
    {
      projectId: 1,
      messageId: "m1",
      token: `token ${number}`,
      event: "displayed",
      action: null,
      ...more,
    },
    atMs,
  );

const rows = (sql: string) => database.prepare(sql).all();
const counts = () => rows("select id, displayed, clicked, closed from messages order by id");

test("what comes together is written in one transaction, each with its own answer, and counted once", async () => {
  const began = vi.spyOn(connection, "transaction");
  const answers = await Promise.all([
    add(1),
    add(2),
    add(1),
    add(2, { event: "clicked", action: 'x"\u0000é' }),
    add(3, { messageId: "m2" }, hourMs + 7),
    add(4, {}, hourMs),
    add(5, { projectId: 2 }),
    add(6, { messageId: "nobody's" }),
    add(9_999_999),
  ]);
  expect(answers).toEqual([true, true, true, true, true, true, false, false, false]);
  expect(began).toHaveBeenCalledTimes(1);
  expect(counts()).toEqual([
    { id: "m1", displayed: 3, clicked: 1, closed: 0 },
    { id: "m2", displayed: 1, clicked: 0, closed: 0 },
  ]);
  expect(
    rows("select message_id as id, hour_ms as hour, displayed, clicked from message_hours"),
  ).toEqual([
    { id: "m1", hour: 0, displayed: 2, clicked: 1 },
    { id: "m1", hour: hourMs, displayed: 1, clicked: 0 },
    { id: "m2", hour: hourMs, displayed: 1, clicked: 0 },
  ]);
  expect(rows("select * from receipts where kind = 'clicked'")).toEqual([
    {
      message_id: "m1",
      registration_id: 2,
      kind: "clicked",
      received_at_ms: 5,
      action: 'x"\u0000é',
    },
  ]);
});

test("those that come while others are written are all counted", async () => {
  const all: Promise<boolean>[] = [];
  for (let number = 1; number <= 1200; number += 1) {
    all.push(add(number));
    if (number % 400 === 0) await new Promise(setImmediate);
  }
  expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
  expect(counts()).toMatchObject([{ displayed: 1200 }, { displayed: 0 }]);
});

test("after a transaction that could not begin the next receipts are written again", async () => {
  vi.spyOn(connection, "transaction").mockImplementationOnce(() => {
    throw new Error("database is locked");
  });
  const failed = await Promise.allSettled([add(1), add(2)]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([add(1), add(2)])).toEqual([true, true]);
  expect(counts()).toMatchObject([{ displayed: 2 }, { displayed: 0 }]);
});
