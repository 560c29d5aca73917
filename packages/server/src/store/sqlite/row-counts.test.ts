/** What of the delivery must not write a row for each registration, or for each time. */
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../port.ts";
import { setUp, type ContractBench } from "../contract/bench.ts";
import {
  leaseAll,
  leaseNext,
  mustLease,
  planMessage,
  retry,
  writePage,
} from "../contract/delivering.ts";
import { connect, openDatabase } from "./connection.ts";
import { groupWrites } from "./grouped-writes.ts";
import { migrate } from "./migrate.ts";
import { storesOn } from "./open.ts";

const [east, west] = [
  "https://wns2-east.notify.windows.com",
  "https://wns2-west.notify.windows.com",
];
const mozilla = "https://updates.push.services.mozilla.com";
const apple = "https://web.push.apple.com";

let database: DatabaseSync;
let bench: ContractBench;
beforeEach(async () => {
  database = openDatabase(":memory:");
  migrate(database, 0);
  const connection = connect(database);
  const store: Store = {
    ...storesOn({ connection, reading: connection, write: groupWrites(connection) }),
    check: async () => undefined,
    close: async () => undefined,
  };
  bench = await setUp({
    open: async () => store,
    remove: async () => undefined,
    async prove({ pushOrigin, vapidKeyId }) {
      database.prepare("insert into proven_origins values (?, ?, 1)").run(pushOrigin, vapidKeyId);
    },
  });
});
afterEach(() => database.close());

const count = (table: string) =>
  Number(database.prepare(`select count(*) as rows from ${table}`).get()?.["rows"]);
const rows = () => ({ batches: count("batches"), exceptions: count("message_exceptions") });

/** Registers so many at once, by SQL. */
function addMany(registrations: number, pushOrigin: string): void {
  database.exec(`
    with recursive number (n) as (select 1 union all select n + 1 from number where n < ${registrations})
    insert into registrations (project_id, token, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_service, push_origin, origin, created_at_ms, refreshed_at_ms)
    select 1, '${pushOrigin} ' || n, x'00', '${pushOrigin} ' || n, cast('${pushOrigin} ' || n as blob), 'p', 'a', 1,
      push_service_of('${pushOrigin}'), '${pushOrigin}', 'o', 0, 0 from number;
  `);
}

describe("a large push origin that a breaker holds", () => {
  test("costs one batch, and none of its registrations a row", async () => {
    await bench.prove(east, west);
    addMany(3_000, west);
    addMany(10, east);
    const { id } = await planMessage(bench, {}, { keys: 10_000 });
    expect(rows()).toEqual({ batches: 1, exceptions: 0 });
    const { store, vapidKeyId } = bench;
    await store.breakers.open({
      pushOrigin: west,
      vapidKeyId,
      reason: "unavailable",
      detail: "503",
      openedAtMs: 1_000,
      probeAtMs: 90_000,
    });
    const batch = await mustLease(store, 1_000);
    expect(batch.exceptOrigins).toEqual([west]);
    expect(rows()).toEqual({ batches: 2, exceptions: 0 });
    const message = await store.messages.find(bench.projectId, id);
    if (message === null) throw new Error("the message is not there");
    expect(await store.delivery.batchPage(batch, message, 100)).toHaveLength(10);
    expect(await store.delivery.waitingAt({ pushOrigin: west, vapidKeyId })).toBe(3_000);
    expect(await store.messages.progress(id)).toMatchObject([{ planned: 3_010 }]);
  });
});

describe("a registration that moves", () => {
  const move = (pushOrigin: string) =>
    bench.store.registrations.register(
      bench.candidate({ pushOrigin }),
      () => ({ kind: "renew", id: 1 }),
      2_000,
    );
  async function withOpenMessages(messages: number): Promise<void> {
    for (let index = 0; index < messages; index += 1) await planMessage(bench);
  }
  /** So many rows does it change, in whatever table. */
  async function changesOf(work: () => Promise<unknown>): Promise<number> {
    const all = () => Number(database.prepare("select total_changes() as rows").get()?.["rows"]);
    const before = all();
    await work();
    return all() - before;
  }

  test.for(["proven", "unproven"])(
    "to another host of the same vendor writes nothing of open messages, be the hosts %s",
    async (known) => {
      if (known === "proven") await bench.prove(east, west);
      await bench.add({ pushOrigin: east });
      await bench.add({ pushOrigin: west });
      const alone = await changesOf(() => move(west));
      await move(east);
      await withOpenMessages(20);
      const before = rows();
      expect(await changesOf(() => move(west))).toBe(alone);
      expect(rows()).toEqual(before);
    },
  );

  test("back and forth between vendors leaves no more rows than the first time", async () => {
    await bench.add({ pushOrigin: east });
    await bench.add({ pushOrigin: mozilla });
    await withOpenMessages(20);
    await move(mozilla);
    const after = rows();
    expect(after).toEqual({ batches: 60, exceptions: 20 });
    for (let times = 0; times < 50; times += 1) await move(times % 2 === 0 ? east : mozilla);
    expect(rows()).toEqual(after);
  });

  test("nor does it where what it left behind is leased and written in between", async () => {
    await bench.add({ pushOrigin: east });
    await withOpenMessages(5);
    await move(mozilla);
    const { store, vapidKeyId } = bench;
    // Wherever it moves to is held: that goes on as a batch of its own each time.
    const breaker = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 2 } as const;
    for (const pushOrigin of [mozilla, apple]) {
      await store.breakers.open({ pushOrigin, vapidKeyId, ...breaker });
    }
    const work = async () => {
      for await (const batch of leaseAll(store, 2_000)) await writePage(store, batch, {}, 2_000);
    };
    await work();
    const after = rows();
    for (let times = 0; times < 10; times += 1) {
      await move(times % 2 === 0 ? apple : mozilla);
      await work();
    }
    expect(rows()).toEqual(after);
  });

  test("with a retry keeps that alone", async () => {
    await bench.add({ pushOrigin: east });
    await planMessage(bench, { ttlSeconds: 3_600 });
    const { store } = bench;
    await writePage(store, await mustLease(store, 1_000), { walked: [retry(1, 9_000)] }, 1_000);
    await move(mozilla);
    const after = rows();
    for (let times = 0; times < 10; times += 1) await move(times % 2 === 0 ? east : mozilla);
    expect(rows()).toEqual(after);
    expect(await leaseNext(store, 8_999)).toBeNull();
    expect(await mustLease(store, 9_000, { pushOrigin: mozilla })).toMatchObject({ lastId: 0 });
  });
});
