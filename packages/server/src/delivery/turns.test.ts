import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome, goneOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import type { DispatchParts } from "./dispatch.ts";

const fcm = "https://fcm.googleapis.com";
/** Where registrations are sent to if a case does not say. */
const own = "https://push.example";
const keyRefused: Outcome = { kind: "rejected", reason: "vapid-refused", status: 403, detail: "" };

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench({ concurrency: 1 });
});
afterEach(() => bench.close());

/** Another one that delivers from the same database, of which the case tells when its turns end. */
function another(over: Partial<DispatchParts> = {}) {
  const dispatch = bench.another({ owner: "another", concurrency: 1, ...over });
  let wakes = 0;
  const step = () => dispatch.step(bench.stopping.signal, () => (wakes += 1));
  async function plan(): Promise<void> {
    while (await step());
  }
  return { step, plan, turnsEnded: () => dispatch.turnsEnded(), wakes: () => wakes };
}

/** Nobody is answered until it is let go. */
function hold() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  bench.push.answer = async () => {
    begun.resolve();
    await promise;
    return acceptedOutcome;
  };
  return { begun: begun.promise, letGo: () => resolve() };
}

/** Whatever changes these rows fails until it is ended. */
function breakWrites(when: string): { mend: () => void } {
  const other = new DatabaseSync(bench.databasePath);
  other.exec(`create trigger broken ${when} begin select raise(rollback, 'disk is full'); end`);
  return {
    mend: () => {
      other.exec("drop trigger broken");
      other.close();
    },
  };
}

const logged = (text: string) => bench.logged.filter((line) => line.includes(text));

describe("turns", () => {
  test("are so many at once at one destination, however often it is looked", async () => {
    await bench.register(5);
    bench.prove(own);
    await bench.publish();
    const { letGo } = hold();
    const { plan, step, turnsEnded } = another({ turnsPerDestination: 2, planKeys: 1 });
    await plan();
    expect(await step()).toBe(false);
    letGo();
    await turnsEnded();
    expect(bench.push.sent).toHaveLength(2);
  });

  test("wake who waits when they have done something, and not when there was nothing", async () => {
    await bench.register(1);
    bench.prove(own);
    await bench.publish();
    // The second finds nothing.
    const { step, turnsEnded, wakes } = another({ turnsPerDestination: 2 });
    await step();
    expect(await step()).toBe(true);
    await turnsEnded();
    expect(wakes()).toBe(1);
  });

  test("that fail wake nobody, and give their batch back", async () => {
    await bench.register(1);
    const id = await bench.publish();
    const { delivery } = bench.store.store;
    const store = {
      ...delivery,
      splitOff: () => Promise.reject(new Error("the database is locked")),
    };
    const { step, turnsEnded, wakes } = another({ store });
    await step();
    await step();
    await turnsEnded();
    expect(logged("delivery turn failed")).toHaveLength(1);
    expect(wakes()).toBe(0);
    // A fault that lasts does not fill the log.
    await step();
    await turnsEnded();
    expect(logged("delivery turn failed")).toHaveLength(1);
    bench.clock.nowMs += 60_000;
    await step();
    await turnsEnded();
    expect(logged("delivery turn failed")).toMatchObject([
      expect.stringContaining("the database is locked"),
      expect.stringContaining('"linesNotWritten":1'),
    ]);
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({ state: "done" });
  });

  test("go on though a push rejects: that is one failure", async () => {
    await bench.register(3);
    bench.push.answer = (id) =>
      id === 2 ? Promise.reject(new Error("a push rejects")) : acceptedOutcome;
    const id = await bench.publish();
    await bench.untilIdle();
    const counts = countsOf({ accepted: 2, failed: 1 });
    expect(await bench.find(id)).toMatchObject({ state: "done", counts });
  });
});

test("a probe is sent by nobody but who has taken it", async () => {
  await bench.register(2, fcm);
  const { breakers, delivery } = bench.store.store;
  const here = { pushOrigin: fcm, vapidKeyId: bench.store.vapidKeyId };
  const open = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 1 } as const;
  await breakers.open({ ...here, ...open });
  await bench.publish();
  await another({ probes: { most: 0, mostUnproven: 0 } }).plan();
  let taken = 0;
  const store: DispatchParts["store"] = {
    ...delivery,
    // Somebody else takes it after this one has seen that it is due.
    async dueProbes(...which) {
      const due = await delivery.dueProbes(...which);
      if (await breakers.takeProbe(here, bench.clock.nowMs, 9_000)) taken += due.length;
      return due;
    },
  };
  const { step, turnsEnded, wakes } = another({ store });
  await step();
  await turnsEnded();
  expect([taken, bench.push.sent.length, wakes()]).toEqual([1, 0, 0]);
});

test("new messages take turns in the order in which they were made", async () => {
  await bench.register(1);
  bench.prove(own);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await bench.publish());
  await another({ turnsPerDestination: 0 }).plan();
  await bench.untilIdle();
  expect(bench.push.sent.map(({ messageId }) => messageId)).toEqual(ids.toSorted());
});

test("retries that are due come first, and leave less of the page to the others", async () => {
  await bench.register(8);
  bench.push.answer = (id) => (id === 1 ? retryOutcome() : acceptedOutcome);
  await bench.publish();
  await bench.step();
  await bench.step();
  bench.clock.nowMs += 2_000;
  await bench.step();
  expect(bench.push.sent.map(({ registrationId }) => registrationId)).toEqual([
    1, 2, 3, 4, 1, 5, 6, 7,
  ]);
});

test("a page that is not full is the last one: no other turn is needed", async () => {
  for (const name of ["a", "b"]) await bench.register(1, `https://${name}.example`);
  const id = await bench.publish();
  // It is started; planned and sent; settled.
  for (let count = 0; count < 3; count += 1) await bench.step();
  expect(await bench.find(id)).toMatchObject({ state: "done" });
});

describe("a stop in the middle of a page", () => {
  const ids = () => bench.push.sent.map(({ registrationId }) => registrationId);

  /** Stops when this registration is sent to, and starts anew. */
  async function stopAt(registrationId: number): Promise<void> {
    bench.push.answer = (id) => {
      if (id === registrationId) bench.stopping.abort();
      return acceptedOutcome;
    };
    await bench.step();
    await bench.start();
  }

  test("goes on after the last that was sent to", async () => {
    await bench.register(6);
    const id = await bench.publish();
    await bench.step();
    await stopAt(2);
    expect(ids()).toEqual([1, 2]);
    await bench.untilIdle();
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await bench.find(id)).toMatchObject({ counts: countsOf({ accepted: 6 }) });
  });

  test("goes on where the walk was if only retries were sent to", async () => {
    await bench.register(6);
    bench.push.answer = (each) => (each === 1 ? retryOutcome() : acceptedOutcome);
    const id = await bench.publish();
    await bench.step();
    await bench.step();
    bench.clock.nowMs += 2_000;
    await stopAt(1);
    expect(ids()).toEqual([1, 2, 3, 4, 1]);
    await bench.untilIdle();
    expect(ids()).toEqual([1, 2, 3, 4, 1, 5, 6]);
    expect(await bench.find(id)).toMatchObject({ counts: countsOf({ accepted: 6 }) });
  });
});

describe("a page that cannot be read", () => {
  /** A message that is planned, and half sent: one is to be tried again. */
  async function halfSent(): Promise<string> {
    await bench.register(6);
    bench.push.answer = (id) => (id === 1 ? retryOutcome() : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 3_600 });
    await bench.step();
    await bench.step();
    bench.push.answer = () => acceptedOutcome;
    return id;
  }

  test("because its message cannot: that is cancelled at once, with what was to be tried again", async () => {
    const id = await halfSent();
    const other = new DatabaseSync(bench.databasePath);
    const spoil = (notification: string) =>
      other.prepare("update messages set notification = ?").run(notification);
    spoil("{}");
    const { step, turnsEnded, wakes } = another();
    await step();
    await turnsEnded();
    expect(wakes()).toBe(1);
    expect(logged("a message that cannot be read is cancelled")).toHaveLength(1);
    spoil('{"title":"x"}');
    other.close();
    expect(await bench.find(id)).toMatchObject({
      state: "cancelled",
      counts: countsOf({ accepted: 3, failed: 1 }),
    });
  });

  test.for([
    ["the database is locked", () => Promise.reject(new Error("the database is locked"))],
    ["is not there", () => Promise.resolve(null)],
  ] as const)("because %s: its batch is given back, which is told", async ([why, find]) => {
    const id = await halfSent();
    const { messages } = bench.store.store;
    let broken = true;
    const { step, turnsEnded, wakes } = another({
      messages: { find: (...which) => (broken ? find() : messages.find(...which)) },
    });
    await step();
    await turnsEnded();
    expect(logged("delivery turn failed").filter((line) => line.includes(why))).toHaveLength(1);
    expect(wakes()).toBe(0);
    broken = false;
    await step();
    await turnsEnded();
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 5, retry: 1 }));
  });
});

describe("planning", () => {
  test("of a local time asks for the hour of each time zone", async () => {
    for (const timeZone of ["Asia/Tokyo", "America/Lima"]) await bench.store.add({ timeZone });
    const localTime = "1970-01-01T00:00:06";
    await bench.publish({ localTime, ttlSeconds: 3_600 });
    const dueInZone: DispatchParts["dueInZone"] = (time, timeZone) => {
      expect(time).toBe(localTime);
      return timeZone === "Asia/Tokyo" ? 3_000 : 9_000;
    };
    const ends: number[] = [];
    const { plan, turnsEnded } = another({
      dueInZone,
      send: (message, recipient, endsAtMs) => {
        ends.push(endsAtMs);
        return bench.push.send(message, recipient, endsAtMs);
      },
    });
    const sentBy = async (nowMs: number) => {
      bench.clock.nowMs = nowMs;
      await plan();
      await turnsEnded();
      return bench.push.sent.map(({ registrationId }) => registrationId);
    };
    expect(await sentBy(2_999)).toEqual([]);
    expect(await sentBy(3_000)).toEqual([1]);
    expect(await sentBy(8_999)).toEqual([1]);
    expect(await sentBy(9_500)).toEqual([1, 2]);
    // The TTL counts from there, and not from when it comes to be sent.
    expect(ends).toEqual([3_603_000, 3_609_000]);
  });

  test("that fails is told to who asked for the step, and is done again", async () => {
    await bench.register(1);
    const id = await bench.publish();
    const { mend } = breakWrites("before insert on batches");
    await bench.step();
    await expect(bench.step()).rejects.toThrow("disk is full");
    mend();
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({ state: "done" });
  });
});

describe("a lease", () => {
  test("is nobody else's while its page is on its way, and is kept", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await bench.register(1);
      await bench.publish();
      const { begun, letGo } = hold();
      const { plan, turnsEnded } = another();
      await plan();
      await begun;
      const { delivery } = bench.store.store;
      const other = new DatabaseSync(bench.databasePath);
      const untilMs = () => other.prepare("select lease_until_ms from batches").get();
      expect(untilMs()).toEqual({ lease_until_ms: 61_000 });
      bench.clock.nowMs += 20_000;
      await vi.advanceTimersByTimeAsync(20_000);
      expect(untilMs()).toEqual({ lease_until_ms: 81_000 });
      other.close();
      await delivery.freeEndedLeases("rescuer", 80_999);
      expect(await delivery.readyDestinations(80_999)).toEqual([]);
      letGo();
      await turnsEnded();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("that has ended is another's; the late page counts nothing, which is told", async () => {
    await bench.register(1);
    const id = await bench.publish();
    const { begun, letGo } = hold();
    const { plan, turnsEnded } = another();
    await plan();
    await begun;
    bench.clock.nowMs += 60_000;
    bench.push.answer = () => acceptedOutcome;
    await bench.untilIdle();
    const rescued = await bench.find(id);
    expect(rescued).toMatchObject({ state: "done", counts: countsOf({ accepted: 1 }) });
    expect(logged("too late")).toEqual([]);
    letGo();
    await turnsEnded();
    expect(logged("too late")).toHaveLength(1);
    expect(await bench.find(id)).toEqual(rescued);
  });
});

describe("what came of a page is written", () => {
  test("though the breaker cannot be opened, which is tried again", async () => {
    await bench.register(8, fcm);
    bench.push.answer = () => keyRefused;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    const { mend } = breakWrites("before insert on breakers");
    await bench.step();
    await bench.step();
    expect((await bench.find(id)).counts).toEqual(countsOf({ retry: 3 }));
    expect(await bench.breakers()).toEqual([]);
    mend();
    await bench.step();
    expect(await bench.breakers()).toMatchObject([{ reason: "vapid-refused" }]);
    expect(bench.push.sent).toHaveLength(6);
  });

  test("though the breaker cannot be closed", async () => {
    await bench.register(5, fcm);
    bench.push.answer = () => keyRefused;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    bench.push.answer = () => acceptedOutcome;
    const { mend } = breakWrites("before delete on breakers");
    bench.clock.nowMs += 5_000;
    await bench.untilIdle();
    expect((await bench.find(id)).counts).toEqual(countsOf({ retry: 2, accepted: 3 }));
    mend();
  });

  test("is told by reason: who is rejected louder than who comes again, and who is gone not at all", async () => {
    await bench.register(5, fcm);
    const rejected: Outcome = { kind: "rejected", reason: "too-large", status: 413, detail: "" };
    const answers: Outcome[] = [goneOutcome, rejected, retryOutcome(), retryOutcome()];
    bench.push.answer = (id) => answers[id - 1] ?? acceptedOutcome;
    await bench.publish();
    await bench.untilIdle();
    const told = logged("not accepted").map((line): unknown => JSON.parse(line));
    expect(told).toEqual([
      expect.objectContaining({ level: 40, reason: "too-large", registrations: 1 }),
      expect.objectContaining({ level: 30, reason: "throttled", registrations: 2 }),
    ]);
    expect(bench.counted).toEqual(
      new Map([
        ["fcm accepted", 1],
        ["fcm gone", 1],
        ["fcm retry", 2],
        ["fcm rejected", 1],
      ]),
    );
  });
});
