/** Which reads run on reader threads, and which do not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../log.ts";
import { asNew, setUp, type ContractBench } from "../contract/bench.ts";
import type { Store } from "../port.ts";
import { connect, openDatabase, type Connection } from "./connection.ts";
import { groupWrites } from "./grouped-writes.ts";
import { migrate } from "./migrate.ts";
import { storesOn } from "./open.ts";
import { connectReaders } from "./reading/connect-readers.ts";
import { createReaders, type Readers } from "./reading/readers.ts";

let folder: string;
let path: string;
let database: DatabaseSync;
let connection: Connection;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-beside-"));
  path = join(folder, "test.db");
  database = openDatabase(path);
  migrate(database, 0);
  connection = connect(database);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const nobody: Readers["read"] = () => Promise.reject(new Error("asked the wrong one"));

function storeOn(parts: Pick<Parameters<typeof storesOn>[0], "connection" | "reading">): Store {
  return {
    ...storesOn({ ...parts, write: groupWrites(parts.connection) }),
    check: async () => undefined,
    close: async () => undefined,
  };
}

/** A store whose long reads go to `read`. */
function benchOn(read: Readers["read"]): Promise<ContractBench> {
  const open = async () => storeOn({ connection, reading: connectReaders({ read }) });
  return setUp({ open, remove: async () => undefined });
}

const condition = { kind: "condition", condition: "'bread' in topics" } as const;
const destination = { pushOrigin: "https://push.example", vapidKeyId: 1 };

type Known = { token: string; id: string };

describe("on a thread runs what an operator waits for and what may be long", () => {
  const long: Record<string, (store: Store, known: Known) => Promise<unknown>> = {
    "figures of the audience": ({ audience }) => audience.now(1),
    "days of the audience": ({ audience }) => audience.days(1, 0, 9),
    "returns of the audience": ({ audience }) => audience.returns(1, 0, 9),
    "the list of registrations": ({ audience }) => audience.list(1, {}, { limit: 9, keys: 9 }),
    "the table of registrations": ({ audience }) =>
      audience.listDetailed(1, {}, { limit: 9, keys: 9 }),
    "a registration's story": ({ audience }, { token }) => audience.story(1, token, 9),
    "the list of messages": ({ messages }) => messages.list(1, 9),
    "the search for messages": ({ messages }) =>
      messages.list(1, 9, undefined, { search: "bread" }),
    "a message's progress": ({ messages }, { id }) => messages.progress(id),
    "a message's reasons": ({ messages }, { id }) => messages.reasons(id),
    "a message's exceptions": ({ messages }, { id }) =>
      messages.exceptions(id, { afterId: 0, limit: 9 }),
    "a message's hours": ({ messages }, { id }) => messages.hours(id),
    "what holds a message": ({ messages }, { id }) => messages.heldBy(id),
    "how many messages there are": ({ messages }) => messages.countByState(),
    "clicks by action": ({ receipts }, { id }) => receipts.clicksByAction(id),
    "how many registrations there are": ({ registrations }) => registrations.countLive(1),
    "the size of an audience": ({ registrations }) =>
      registrations.countAudience(1, condition, 0, 9),
    "the size of the whole audience": ({ registrations }) => registrations.liveGroups(1),
    "the audit": ({ audit }) => audit.list([1], { limit: 9 }),
    "the audit of a time": ({ audit }) => audit.list([1], { limit: 9, fromMs: 5 }),
    "what is to be sent": ({ delivery }) => delivery.queue(0),
    "what waits somewhere": ({ delivery }) => delivery.waitingAt(destination),
    "who accepts nothing": ({ delivery }) => delivery.notAccepting(),
    "what retention has left": ({ retention }) => retention.oldestEnded(0),
  };

  test.for(Object.entries(long))("%s", async ([, call]) => {
    const bench = await benchOn(nobody);
    const message = bench.message({ notification: { title: "Bread" } });
    await bench.store.messages.publish(message, 0);
    const known = { token: await bench.add(), id: message.id };
    const refusing = connectReaders({ read: nobody });
    expect(await call(storeOn({ connection: refusing, reading: connection }), known)).toBeDefined();
    await expect(call(bench.store, known)).rejects.toThrow("asked the wrong one");
  });
});

test("what visitors, senders and the delivery wait for asks no thread", async () => {
  const bench = await benchOn(nobody);
  const { store, projectId } = bench;
  const token = await bench.add();
  const known = await store.registrations.find(projectId, token);
  const id = known?.id ?? 0;
  await bench.bindUser(id, "baker");
  expect(await store.registrations.unreachable(projectId, [token])).toEqual([]);
  expect(await store.registrations.longestOrigin(projectId)).toBe("https://site.example");

  const message = bench.message();
  expect(await store.messages.publish(message, 1_000)).toEqual({ kind: "published" });
  expect(await store.messages.find(projectId, message.id)).toMatchObject({ id: message.id });
  const planned = await store.delivery.nextToPlan(2_000);
  expect(planned?.id).toBe(message.id);
  expect(await store.delivery.readyDestinations(2_000)).toEqual([]);
  expect(await store.delivery.expireBatches(2_000)).toBe(0);
  expect(await store.breakers.list()).toEqual([]);

  const receipt = { projectId, messageId: message.id, token, event: "displayed" } as const;
  expect(await store.receipts.add({ ...receipt, action: null }, 2_000)).toBe(true);
  expect(await store.messages.cancel(projectId, message.id, 2_000)).toBe(true);
  expect(await store.registrations.leave(id, 3_000)).toBe(true);
});

test("visitors register while a long read goes on", async () => {
  const readers = createReaders(path, { log: createLog("error", process.stderr) });
  const bench = await benchOn((query) => readers.read(query));
  const order: string[] = [];
  const long = sql<{
    n: number;
  }>`with recursive number (n) as (select 1 union all select n + 1 from number where n < 5000000)
    select count(*) as n from number`;
  const read = long.execute(connectReaders(readers)).then(({ rows }) => {
    order.push("read");
    return rows;
  });
  for (let visitor = 1; visitor <= 3; visitor += 1) {
    await bench.store.registrations.register(bench.candidate(), asNew, 1);
    order.push("registered");
  }
  expect(await read).toEqual([{ n: 5_000_000 }]);
  expect(order).toEqual(["registered", "registered", "registered", "read"]);
  expect(await bench.store.registrations.countLive(bench.projectId)).toBe(3);
  await readers.close();
});
