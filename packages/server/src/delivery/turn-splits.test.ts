import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";

const slow = "https://slow.notify.windows.com";
const fast = "https://fast.notify.windows.com";
const options = { pageSize: 8, unprovenPageSize: 8 };
const down: Outcome = { kind: "retry", reason: "connect-failed", notBefore: null, detail: "" };

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench(options);
  // No page waits for its slow push origins longer than it takes to see that they are.
  bench.patience = async () => undefined;
});
afterEach(() => bench.close());

const sentTo = (pushOrigin: string): number[] =>
  bench.push.sent
    .filter((each) => each.pushOrigin === pushOrigin)
    .map(({ registrationId }) => registrationId);

/** In this order; a few at each, in turns. */
async function registerAt(pushOrigins: readonly string[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const pushOrigin of pushOrigins) await bench.register(1, pushOrigin);
  }
}

/** These push origins answer nothing until they are let go, and accept then. */
function holdAt(...pushOrigins: string[]): { letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.push.answer = async (_, pushOrigin) => {
    if (pushOrigins.includes(pushOrigin)) await promise;
    return acceptedOutcome;
  };
  return { letGo: () => resolve() };
}

function rows(query: string): unknown[] {
  const database = new DatabaseSync(bench.databasePath);
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}

const accepted = async (id: string) => (await bench.find(id)).counts.accepted;

describe("a push origin of a vendor that does not answer", () => {
  beforeEach(async () => {
    await registerAt([slow, fast, fast], 12);
    bench.prove(slow, fast);
  });

  test("holds up nobody at the others, and is counted when it answers; nothing is sent twice", async () => {
    const { letGo } = holdAt(slow);
    const id = await bench.publish();
    await bench.until(async () => (await accepted(id)) === 24);
    // What was under way on the first page, and no more of it on those that followed.
    expect(sentTo(slow)).toHaveLength(3);
    expect(await bench.find(id)).toMatchObject({ state: "sending" });
    letGo();
    await bench.dispatch().turnsEnded();
    expect(await accepted(id)).toBe(27);
    await bench.untilIdle();
    expect(sentTo(slow)).toEqual([...new Set(sentTo(slow))]);
    expect(new Set(bench.push.sent.map(({ registrationId }) => registrationId)).size).toBe(36);
    expect(bench.push.sent).toHaveLength(36);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      plannedCount: 36,
      counts: countsOf({ accepted: 36 }),
    });
  });

  test("goes on with all of its rest after a server was killed", async () => {
    const { letGo } = holdAt(slow);
    const id = await bench.publish();
    await bench.until(async () => (await accepted(id)) === 24);
    const underWay = sentTo(slow);
    bench.push.answer = () => acceptedOutcome;
    await bench.start(options);
    await bench.untilIdle();
    const done = await bench.find(id);
    expect(done).toMatchObject({ state: "done", counts: countsOf({ accepted: 36 }) });
    // Those under way may have been accepted or not; nobody else is sent to again.
    expect(sentTo(slow)).toHaveLength(12 + underWay.length);
    expect(new Set(sentTo(slow)).size).toBe(12);
    expect(sentTo(fast)).toHaveLength(24);
    // The one that was killed would write nothing.
    letGo();
    await bench.step();
    expect(await bench.find(id)).toEqual(done);
  });

  test("is waited for while a page has patience", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    bench.patience = () => promise;
    const { letGo } = holdAt(slow);
    const id = await bench.publish();
    await bench.until(() => sentTo(fast).length > 0);
    for (let steps = 0; steps < 20; steps += 1) {
      await bench.dispatch().step(bench.stopping.signal, () => undefined);
    }
    expect(await accepted(id)).toBe(0);
    resolve();
    await bench.until(async () => (await accepted(id)) === 24);
    letGo();
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({ counts: countsOf({ accepted: 36 }) });
  });

  test("is waited for at a stop: nothing under way is left behind", async () => {
    const { letGo } = holdAt(slow);
    const id = await bench.publish();
    bench.patience = () => new Promise(() => undefined);
    await bench.until(() => sentTo(slow).length > 0 && sentTo(fast).length > 0);
    bench.stopping.abort();
    letGo();
    await bench.dispatch().turnsEnded();
    expect(await accepted(id)).toBe(bench.push.sent.length);
    await bench.start(options);
    await bench.untilIdle();
    expect(bench.push.sent).toHaveLength(36);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 36 }),
    });
  });
});

test("a stop before anything of a page was begun leaves its batch as it was", async () => {
  await registerAt([slow, fast], 4);
  bench.prove(slow, fast);
  const id = await bench.publish();
  await bench.step();
  const { delivery } = bench.store.store;
  const store = {
    ...delivery,
    async batchPage(...which: Parameters<typeof delivery.batchPage>) {
      bench.stopping.abort();
      return delivery.batchPage(...which);
    },
  };
  const stopped = bench.another({ store });
  await stopped.step(bench.stopping.signal, () => undefined);
  await stopped.turnsEnded();
  expect(bench.push.sent).toEqual([]);
  expect(rows("select lane, except_origins, cursor, lease_owner from batches")).toEqual([
    { lane: "shared", except_origins: null, cursor: 0, lease_owner: null },
  ]);
  await bench.start(options);
  await bench.untilIdle();
  expect(await bench.find(id)).toMatchObject({ counts: countsOf({ accepted: 8 }) });
});

const forever = (): Promise<void> => new Promise(() => undefined);
const atOnce = async (): Promise<void> => undefined;

test.for([
  ["while the page waits for it", forever],
  ["after the page has left it behind", atOnce],
] as const)(
  "a push origin that fails %s goes on alone, from where it was",
  async ([, patience]) => {
    bench.patience = patience;
    await bench.start({ ...options, pageSize: 100 });
    await registerAt([slow, fast], 40);
    bench.prove(slow, fast);
    let fails = true;
    // The first ten of them are accepted.
    bench.push.answer = (id, pushOrigin) =>
      fails && pushOrigin === slow && id > 20 ? down : acceptedOutcome;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    // Twenty are enough to leave it alone; two were under way.
    const failed = sentTo(slow).length - 10;
    expect(failed).toBeLessThan(25);
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 50, retry: failed }));
    expect(rows("select lane, held from batches where state = 'open'")).toEqual([
      { lane: slow, held: 1 },
    ]);
    fails = false;
    for (let minutes = 0; minutes < 10; minutes += 1) {
      bench.clock.nowMs += 60_000;
      await bench.untilIdle();
    }
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 80 }),
    });
    expect(sentTo(slow)).toHaveLength(40 + failed);
    expect(sentTo(fast)).toHaveLength(40);
  },
);

describe("a push origin that a breaker holds", () => {
  const hold = (pushOrigin: string) =>
    bench.store.store.breakers.open({
      pushOrigin,
      vapidKeyId: bench.store.vapidKeyId,
      reason: "unavailable",
      detail: "",
      openedAtMs: 1,
      probeAtMs: 1_000_000,
    });

  test.for(["before", "after"] as const)(
    "does not hold up its neighbour, and costs no row per registration (%s the message is planned)",
    async (when) => {
      await registerAt([slow, fast], 20);
      bench.prove(slow, fast);
      if (when === "before") await hold(slow);
      const id = await bench.publish({ ttlSeconds: 86_400 });
      await bench.step();
      const plans = bench.another({ ...options, turnsPerDestination: 0 });
      while (await plans.step(bench.stopping.signal, () => undefined));
      if (when === "after") await hold(slow);
      await bench.untilIdle();
      expect([sentTo(slow).length, sentTo(fast).length]).toEqual([0, 20]);
      expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 20 }));
      expect(rows("select * from message_exceptions")).toEqual([]);
      expect(rows("select lane, planned from batches where held = 1")).toEqual([
        { lane: slow, planned: 20 },
      ]);
      bench.clock.nowMs = 1_000_000;
      await bench.untilIdle();
      expect(await bench.find(id)).toMatchObject({
        state: "done",
        counts: countsOf({ accepted: 40 }),
      });
      expect(bench.push.sent).toHaveLength(40);
    },
  );
});

describe("push origins that have never accepted anything", () => {
  test("and are dead, a thousand of them, hold up no proven one of the same vendor", async () => {
    await bench.start({ pageSize: 100, unprovenPageSize: 20, planKeys: 5_000, lookups: 3 });
    const dead = Array.from(
      { length: 1_000 },
      (_, index) => `https://x${index}.notify.windows.com`,
    );
    await Promise.all(dead.map((pushOrigin) => bench.register(1, pushOrigin)));
    await Promise.all(Array.from({ length: 300 }, () => bench.register(1, fast)));
    bench.prove(fast);
    const { letGo } = holdAt(...dead);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.until(async () => (await accepted(id)) === 300);
    expect(sentTo(fast)).toHaveLength(300);
    // All that the dead ones have cost until the first of them answers.
    expect(bench.push.sent).toHaveLength(303);
    expect(rows("select lane, count(*) as batches from batches group by lane")).toEqual([
      { lane: "shared", batches: 1 },
      { lane: "unproven", batches: 1 },
    ]);
    letGo();
    await bench.dispatch().turnsEnded();
  });

  test("and turn up in a page of proven ones wait in their own lane if others go first", async () => {
    await bench.start({ ...options, lookups: 1 });
    await bench.register(6, fast);
    bench.prove(fast);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.step();
    const plans = bench.another({ ...options, turnsPerDestination: 0 });
    while (await plans.step(bench.stopping.signal, () => undefined));
    // Two browsers subscribe anew while the message is under way.
    const hosts = ["https://new1.notify.windows.com", "https://new2.notify.windows.com"] as const;
    for (const [index, pushOrigin] of hosts.entries()) {
      const renew = () => ({ kind: "renew", id: index + 1 }) as const;
      const { store, candidate } = bench.store;
      await store.registrations.register(candidate({ pushOrigin }), renew, bench.clock.nowMs);
    }
    const { letGo } = holdAt(hosts[0]);
    await bench.until(async () => (await accepted(id)) >= 4);
    await bench.until(() => sentTo(hosts[0]).length === 1);
    letGo();
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      plannedCount: 6,
      counts: countsOf({ accepted: 6 }),
    });
    expect(bench.push.sent).toHaveLength(6);
  });
});
