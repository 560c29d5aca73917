import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Store } from "../store/port.ts";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { fakeThreads, type FakeThreads } from "../test/fake-threads.ts";
import type { DispatchParts } from "./dispatch.ts";
import { stopFirst } from "./stop-first.ts";

const [one, another] = ["https://one.example", "https://another.example"] as const;
const options = { concurrency: 5, pageSize: 6 };

let bench: DeliveryBench;
let threads: FakeThreads;
beforeEach(async () => {
  bench = await deliveryBench();
  bench.prove(one, another);
  await startWith(fakeThreads(2));
});
afterEach(() => bench.close());

/** Of each page five pushes are handed in, of which two begin. */
async function startWith(these: FakeThreads, over: Partial<DispatchParts> = {}): Promise<void> {
  threads = these;
  bench.withdraw = (which) => threads.withdraw(which);
  await bench.start({ ...options, send: (...push) => threads.send(...push), ...over });
}

/** The store as those see it who wait for an answer. */
const answering = (): Store => stopFirst(bench.store.store, () => bench.dispatch());
const cancel = (id: string) => {
  return answering().messages.cancel(bench.store.projectId, id, bench.clock.nowMs);
};

/** Publishes, and resolves in the middle of the first page. */
async function underWay(): Promise<string> {
  const id = await bench.publish({ ttlSeconds: 86_400 });
  const handed = threads.handed() + 5;
  await bench.until(() => threads.handed() === handed);
  return id;
}

/** Whatever still comes is answered. */
async function finish(): Promise<void> {
  threads.answerAll();
  await bench.dispatch().turnsEnded();
  bench.clock.nowMs += 60_000;
  await bench.untilIdle();
}

function write(statement: string): void {
  const database = new DatabaseSync(bench.databasePath);
  database.exec(statement);
  database.close();
}

describe("a message that is cancelled in the middle of a page", () => {
  beforeEach(() => bench.register(10, one));

  test("begins no push from the answer on; what was in flight counts, and the rest is no failure", async () => {
    const id = await underWay();
    expect(await cancel(id)).toBe(true);
    const { delivery } = bench.store.store;
    expect(await delivery.isStopping(id, bench.clock.nowMs)).toBe(false);
    await finish();
    expect(threads.begun).toEqual([1, 2]);
    expect(await bench.find(id)).toMatchObject({
      state: "cancelled",
      plannedCount: 10,
      counts: countsOf({ accepted: 2 }),
    });
    expect(await bench.store.store.messages.reasons(id)).toEqual([]);
  });

  test("leaves the pushes of other messages as they are", async () => {
    await startWith(fakeThreads(2), { turnsPerDestination: 2 });
    const id = await underWay();
    const other = await underWay();
    await cancel(id);
    await finish();
    expect(await bench.find(other)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 10 }),
    });
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 2 }));
  });

  test("is answered no sooner to whoever asks while it is being withdrawn", async () => {
    const id = await underWay();
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    threads.onWithdraw = () => {
      begun.resolve();
      return promise;
    };
    const cancelled = cancel(id);
    await begun.promise;
    let answered = false;
    const asked = [cancelled, bench.dispatch().stopEnded()];
    for (const each of asked) void each.then(() => (answered = true));
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(answered).toBe(false);
    resolve();
    await Promise.all(asked);
    expect(threads.waiting()).toBe(0);
    await finish();
    expect(threads.begun).toEqual([1, 2]);
  });

  test("between its lease and its page begins nothing", async () => {
    const { delivery } = bench.store.store;
    const store = {
      ...delivery,
      async lease(...which: Parameters<typeof delivery.lease>) {
        const batch = await delivery.lease(...which);
        await cancel(which[1]);
        return batch;
      },
    };
    await startWith(fakeThreads(2), { store });
    const id = await bench.publish();
    await bench.untilIdle();
    expect(threads.begun).toEqual([]);
    expect(await bench.find(id)).toMatchObject({ state: "cancelled", counts: countsOf({}) });
    expect(await delivery.isStopping(id, bench.clock.nowMs)).toBe(false);
  });

  test("is seen by the next step if another process has cancelled it", async () => {
    const id = await underWay();
    const { messages, delivery } = bench.store.store;
    await messages.cancel(bench.store.projectId, id, bench.clock.nowMs);
    expect(await delivery.isStopping(id, bench.clock.nowMs)).toBe(true);
    await bench.dispatch().step(bench.stopping.signal, () => undefined);
    expect(await delivery.isStopping(id, bench.clock.nowMs)).toBe(false);
    await finish();
    expect(threads.begun).toEqual([1, 2]);
  });

  test("counts what is in flight though its outcomes cannot be written at once", async () => {
    const id = await underWay();
    await cancel(id);
    write(
      `create trigger full before update of cursor on batches
        begin select raise(rollback, 'disk is full'); end`,
    );
    let pauses = 0;
    bench.onPause = () => {
      pauses += 1;
      if (pauses === 3) write("drop trigger full");
    };
    await finish();
    expect(pauses).toBe(3);
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 2 }));
  });
});

describe("a page with two push origins of a vendor", () => {
  const hosts = ["https://a.notify.windows.com", "https://b.notify.windows.com"] as const;
  beforeEach(async () => {
    bench.prove(...hosts);
    await bench.register(8, hosts[0]);
    await bench.register(2, hosts[1]);
  });

  const start = (streams: number) =>
    startWith(fakeThreads(streams), { concurrency: 3, pageSize: 10 });

  /** Publishes, and resolves when the second push origin has ended, and the first goes on apart. */
  async function apart(): Promise<string> {
    bench.patience = async () => undefined;
    await start(2);
    const id = await bench.publish();
    // Three pushes to the first host, and all to the second.
    await bench.until(() => threads.handed() === 5);
    for (let count = 0; count < 5; count += 1) threads.answer();
    await bench.until(async () => (await bench.find(id)).counts.accepted === 2);
    return id;
  }

  test("that is cancelled counts what is in flight at both of them", async () => {
    await start(4);
    const id = await bench.publish();
    await bench.until(() => threads.handed() === 5);
    await cancel(id);
    // The first one ends before the second.
    for (let count = 0; count < 3; count += 1) threads.answer();
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    await finish();
    expect(threads.begun).toEqual([1, 2, 3, 9]);
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 4 }));
  });

  test("that is cancelled begins nothing at the slow one that has gone on apart", async () => {
    const id = await apart();
    const begun = threads.begun.length;
    await cancel(id);
    await finish();
    expect(threads.begun).toHaveLength(begun);
    expect(await bench.find(id)).toMatchObject({
      state: "cancelled",
      counts: countsOf({ accepted: begun }),
    });
  });

  test("that is stopped goes on where the slow one was that had gone on apart", async () => {
    const id = await apart();
    bench.stopping.abort();
    threads.answerAll();
    await bench.dispatch().turnsEnded();
    const { accepted } = (await bench.find(id)).counts;
    expect(accepted).toBeLessThan(10);
    const { begun } = threads;
    await start(10);
    await finish();
    expect([...begun, ...threads.begun].toSorted((x, y) => x - y)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 10 }),
    });
  });
});

describe("a browser that ends in the middle of a page", () => {
  beforeEach(() => bench.register(8, one));

  test.for([
    ["leaves", (id: number) => answering().registrations.leave(id, bench.clock.nowMs)],
    [
      "is forgotten",
      (id: number) => answering().registrations.forget(id, `new ${id}`, bench.clock.nowMs),
    ],
  ] as const)(
    "and %s: no push to it begins from the answer on, and it counts nowhere",
    async ([, end]) => {
      const id = await underWay();
      // To be handed in; handed in and not begun; on the next page.
      for (const each of [6, 4, 8]) await end(each);
      await finish();
      expect(threads.begun).toEqual([1, 2, 3, 5, 7]);
      expect(await bench.find(id)).toMatchObject({
        state: "done",
        plannedCount: 5,
        counts: countsOf({ accepted: 5 }),
      });
    },
  );

  test("gets no push of another message either, and one in flight counts", async () => {
    await startWith(fakeThreads(2), { turnsPerDestination: 2 });
    const first = await underWay();
    const second = await underWay();
    await answering().registrations.leave(1, bench.clock.nowMs);
    await finish();
    expect(threads.begun.filter((each) => each === 1)).toHaveLength(1);
    const accepted = async (id: string) => (await bench.find(id)).counts;
    expect(await accepted(first)).toEqual(countsOf({ accepted: 8 }));
    expect(await accepted(second)).toEqual(countsOf({ accepted: 7 }));
    expect((await bench.find(second)).plannedCount).toBe(7);
  });

  test("is not sent to again if it waited for that: this is a failure that names the reason", async () => {
    threads.answerAll();
    await startWith(fakeThreads(8), { pageSize: 8 });
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.until(() => threads.begun.length === 5);
    threads.answer({ kind: "retry", reason: "throttled", notBefore: null, detail: "" });
    await finishWithout(1);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 7, failed: 1 }),
    });
    expect(await bench.store.store.messages.reasons(id)).toMatchObject([
      { reason: "not-in-audience", count: 1 },
    ]);
  });

  async function finishWithout(id: number): Promise<void> {
    threads.answerAll();
    await bench.dispatch().turnsEnded();
    await answering().registrations.leave(id, bench.clock.nowMs);
    await finish();
  }
});

describe("a lease that is lost", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** As time goes on, to the next attempt to extend leases. */
  async function pass(milliseconds = 20_000): Promise<void> {
    bench.clock.nowMs += milliseconds;
    await vi.advanceTimersByTimeAsync(milliseconds);
    await setImmediate();
  }
  const lost = () => bench.logged.filter((line) => line.includes("a lease was lost"));

  test("to another owner ends its page at once: nothing begins, and it writes nothing", async () => {
    await bench.register(10, one);
    const id = await underWay();
    write("update batches set lease_owner = 'another', lease_epoch = lease_epoch + 1");
    await pass();
    expect(lost()).toHaveLength(1);
    expect(threads.waiting()).toBe(0);
    threads.answerAll();
    await bench.dispatch().turnsEnded();
    expect(threads.begun).toEqual([1, 2]);
    expect((await bench.find(id)).counts).toEqual(countsOf({}));
    expect(bench.logged.join()).toContain("a page came too late");
    const database = new DatabaseSync(bench.databasePath);
    expect(database.prepare("select cursor, lease_owner from batches").all()).toEqual([
      { cursor: 0, lease_owner: "another" },
    ]);
    database.close();
  });

  test("by the clock, since it cannot be extended: what was not begun is sent later, and nothing twice", async () => {
    await bench.register(10, one);
    const { delivery } = bench.store.store;
    let fails = true;
    const store: DispatchParts["store"] = {
      ...delivery,
      extendLease: (...which) =>
        fails ? Promise.reject(new Error("the disk is full")) : delivery.extendLease(...which),
    };
    await startWith(fakeThreads(2), { store });
    const id = await underWay();
    await pass();
    await pass();
    expect([lost().length, threads.waiting()]).toEqual([0, 3]);
    await pass();
    expect([lost().length, threads.waiting()]).toEqual([1, 0]);
    fails = false;
    threads.answerAll();
    await bench.dispatch().turnsEnded();
    expect(threads.begun).toEqual([1, 2]);
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 2, retry: 3 }));
    await finish();
    expect(threads.begun.toSorted((x, y) => x - y)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 10 }),
    });
  });

  test("costs another page of its message nothing", async () => {
    await bench.register(6, one);
    await bench.register(6, another);
    await startWith(fakeThreads(2));
    const id = await bench.publish({ ttlSeconds: 86_400 });
    // Both pages have handed in five, of which two have begun.
    await bench.until(() => threads.waiting() === 8);
    write(
      `update batches set lease_owner = 'another', lease_epoch = lease_epoch + 1
        where push_service = '${one}'`,
    );
    await pass();
    expect(lost()).toHaveLength(1);
    await finish();
    write("update batches set lease_owner = null, lease_until_ms = null");
    await finish();
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 12 }),
    });
    const toOther = threads.begun.filter((each) => each > 6);
    expect(toOther.toSorted((x, y) => x - y)).toEqual([7, 8, 9, 10, 11, 12]);
  });
});
