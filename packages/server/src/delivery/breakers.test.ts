import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../log.ts";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { createBreakers, nextProbeAt } from "./breakers.ts";

const fcm = "https://fcm.googleapis.com";
const mozilla = "https://updates.push.services.mozilla.com";
const keyRefused: Outcome = {
  kind: "rejected",
  reason: "vapid-refused",
  status: 403,
  detail: "not yours",
};

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench({ concurrency: 1 });
});
afterEach(() => bench.close());

const sentTo = (pushOrigin: string) =>
  bench.push.sent.filter((each) => each.pushOrigin === pushOrigin).length;

/** As the clock goes on, until the message has a state. */
async function untilState(id: string, state: string, stepMs = 1_000): Promise<void> {
  for (let rounds = 0; rounds < 2_000; rounds += 1) {
    await bench.untilIdle();
    if ((await bench.find(id)).state === state) return;
    bench.clock.nowMs += stepMs;
  }
  throw new Error(`the message is ${(await bench.find(id)).state}, not ${state}`);
}

describe("a key that is refused", () => {
  test.for([1, 2, 3, 40])(
    "by all %i: nobody is removed, the message is paused, and it ends once the key is right",
    async (count) => {
      await bench.register(count, fcm);
      bench.push.answer = () => keyRefused;
      const id = await bench.publish({ ttlSeconds: 86_400 });
      await bench.untilIdle();
      expect(await bench.find(id)).toMatchObject({ state: "paused" });
      expect(await bench.breakers()).toMatchObject([
        { pushOrigin: fcm, reason: "vapid-refused", detail: "not yours", probes: 0 },
      ]);
      // Three, and no more: the rest is not even tried.
      expect(sentTo(fcm)).toBe(Math.min(count, 3));
      expect(bench.logged.some((line) => line.includes("refuses the VAPID key"))).toBe(true);

      // A day later it is still so: probes, a page each at the most, at most every five minutes in the end.
      for (let hour = 0; hour < 20; hour += 1) {
        bench.clock.nowMs += 3_600_000;
        await bench.untilIdle();
      }
      expect(sentTo(fcm)).toBeLessThanOrEqual(Math.min(count, 3) + 20 * 4);
      const { registrations } = bench.store.store;
      expect(await registrations.countLive(bench.store.projectId)).toBe(count);

      bench.push.answer = () => acceptedOutcome;
      await untilState(id, "done", 60_000);
      expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: count }));
      expect(await bench.breakers()).toEqual([]);
    },
  );

  test("for one registration alone opens nothing, and rejects it once others are accepted in between", async () => {
    await bench.register(12, fcm);
    bench.push.answer = (id) => (id === 5 ? keyRefused : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    for (let round = 0; round < 10; round += 1) {
      await bench.untilIdle();
      bench.clock.nowMs += 60_000;
    }
    // Nobody else was sent to meanwhile: it could be the key.
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 11, retry: 1 }));
    for (let round = 0; round < 4; round += 1) {
      const target = { kind: "token", token: bench.tokens[0] ?? "" } as const;
      await bench.publish({ target, scheduledAtMs: bench.clock.nowMs });
      await bench.untilIdle();
      bench.clock.nowMs += 900_000;
      await bench.untilIdle();
    }
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 11, rejected: 1 }));
    expect(await bench.breakers()).toEqual([]);
    const { registrations } = bench.store.store;
    expect(await registrations.countLive(bench.store.projectId)).toBe(12);
  });

  test("by all of a few, after it was accepted by all of them, loses nobody", async () => {
    await bench.register(2, fcm);
    await untilState(await bench.publish({ ttlSeconds: 86_400 }), "done");
    bench.push.answer = () => keyRefused;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    for (let round = 0; round < 100; round += 1) {
      await bench.untilIdle();
      bench.clock.nowMs += 60_000;
    }
    expect((await bench.find(id)).counts).toEqual(countsOf({ retry: 2 }));
    bench.push.answer = () => acceptedOutcome;
    await untilState(id, "done", 60_000);
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 2 }));
  });

  test("in the middle of a message loses nobody", async () => {
    await bench.register(100, fcm);
    bench.push.answer = (id) => (id > 20 ? keyRefused : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({ state: "paused" });
    bench.push.answer = () => acceptedOutcome;
    await untilState(id, "done", 60_000);
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 100 }));
  });
});

describe("registrations of another key, of which anybody may bring many", () => {
  /** From so many on they are the site's own. */
  const brought = 300;
  /** As start-delivery.ts has it, but for a little less at once. */
  const parts = { concurrency: 20, pageSize: 500, planKeys: 5_000 };
  beforeEach(() => bench.start(parts));

  const refuses = (id: number): Outcome => (id <= brought ? keyRefused : acceptedOutcome);
  const own = 40;

  /** Seconds until the site's own have what was published to all. */
  async function untilServed(id: string): Promise<number> {
    const start = bench.clock.nowMs;
    for (let seconds = 0; seconds < 3_600; seconds += 1) {
      await bench.untilIdle();
      const message = await bench.find(id);
      if (message.counts.accepted === own) return (bench.clock.nowMs - start) / 1000;
      bench.clock.nowMs += 1_000;
    }
    throw new Error("an hour was not enough");
  }

  test("keep nobody waiting for long where the key is known, and are known themselves from then on", async () => {
    await bench.register(brought + own, fcm);
    bench.push.answer = refuses;
    const target = { kind: "token", token: bench.tokens.at(-1) ?? "" } as const;
    await untilState(await bench.publish({ target, ttlSeconds: 86_400 }), "done");
    // What was accepted is known to whoever starts anew.
    await bench.start(parts);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect((await bench.find(id)).counts.retry).toBeGreaterThanOrEqual(50);
    // Its probes ask 8, 16, 32, 64 and 128 more after 5, 10, 20, 40 and 80 seconds.
    expect(await untilServed(id)).toBeLessThanOrEqual(5 + 10 + 20 + 40 + 80);
    await bench.start(parts);
    expect(await untilServed(await bench.publish({ ttlSeconds: 86_400 }))).toBe(0);
    expect(await bench.breakers()).toEqual([]);
  });

  test("keep others waiting for minutes where nothing was ever accepted, and nobody is removed", async () => {
    await bench.register(brought + own, fcm);
    bench.push.answer = refuses;
    const first = await untilServed(await bench.publish({ ttlSeconds: 86_400 }));
    expect(first).toBeLessThanOrEqual(5 + 10 + 20 + 40 + 80 + 160 + 300);
    expect(await bench.breakers()).toEqual([]);
    const { registrations } = bench.store.store;
    expect(await registrations.countLive(bench.store.projectId)).toBe(brought + own);
  });

  test("are passed by a probe that meets nobody else, at once", async () => {
    await bench.register(brought + own, fcm);
    bench.push.answer = refuses;
    await untilServed(await bench.publish({ ttlSeconds: 86_400 }));
    // Three pages of them alone are in front.
    await bench.start({ ...parts, pageSize: 100 });
    const at = { pushOrigin: fcm, vapidKeyId: bench.store.vapidKeyId };
    const reason = "vapid-refused" as const;
    const open = { ...at, reason, detail: "", openedAtMs: bench.clock.nowMs };
    await bench.store.store.breakers.open({ ...open, probeAtMs: bench.clock.nowMs });
    expect(await untilServed(await bench.publish({ ttlSeconds: 86_400 }))).toBe(0);
  });

  test("are asked again once in minutes while nothing is accepted, and rejected once something is", async () => {
    await bench.register(2, fcm);
    await untilState(await bench.publish({ ttlSeconds: 86_400 }), "done");
    bench.push.answer = (id) => (id === 1 ? keyRefused : acceptedOutcome);
    const target = { kind: "token", token: bench.tokens[0] ?? "" } as const;
    const id = await bench.publish({ target, ttlSeconds: 86_400 });
    const before = bench.push.sent.length;
    for (let second = 0; second < 3_600; second += 1) {
      await bench.untilIdle();
      bench.clock.nowMs += 1_000;
    }
    expect(bench.push.sent.length - before).toBeLessThanOrEqual(2 + 3_600 / 128);
    for (let round = 0; round < 4; round += 1) {
      const other = { kind: "token", token: bench.tokens[1] ?? "" } as const;
      await bench.publish({ target: other, scheduledAtMs: bench.clock.nowMs });
      await bench.untilIdle();
      bench.clock.nowMs += 900_000;
      await bench.untilIdle();
    }
    expect((await bench.find(id)).counts).toEqual(countsOf({ rejected: 1 }));
  });

  test("so do endpoints that somebody made up, which are refused in another way", async () => {
    await bench.register(brought + own, fcm);
    const madeUp: Outcome = {
      kind: "rejected",
      reason: "request-refused",
      status: 400,
      detail: "",
    };
    bench.push.answer = (id) => (id <= brought ? madeUp : acceptedOutcome);
    const first = await untilServed(await bench.publish({ ttlSeconds: 86_400 }));
    expect(first).toBeLessThanOrEqual(5 + 10 + 20 + 40 + 80 + 160);
    expect(await untilServed(await bench.publish({ ttlSeconds: 86_400 }))).toBe(0);
  });
});

test("an outage for a few is told of once for each destination, with its cause", async () => {
  await bench.register(3, fcm);
  await bench.register(1, mozilla);
  const detail = "getaddrinfo ENOTFOUND fcm.googleapis.com";
  bench.push.answer = () => ({
    kind: "retry",
    reason: "name-not-resolved",
    notBefore: null,
    detail,
  });
  const id = await bench.publish({ ttlSeconds: 86_400 });
  for (let round = 0; round < 20; round += 1) {
    await bench.untilIdle();
    bench.clock.nowMs += 60_000;
  }
  expect((await bench.find(id)).counts).toEqual(countsOf({ retry: 4 }));
  expect(bench.push.sent.length).toBeGreaterThan(12);
  expect(await bench.breakers()).toEqual([]);
  const warnings = bench.logged
    .map((line): { level: number; msg: string } => JSON.parse(line))
    .filter(({ level }) => level === 40);
  const told = { reason: "unavailable", detail: `name-not-resolved: ${detail}` };
  expect(warnings.map(({ msg }) => msg)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining("accepts nothing")),
  );
  expect(warnings).toContainEqual(expect.objectContaining({ ...told, pushOrigin: mozilla }));
  expect(warnings).toContainEqual(
    expect.objectContaining({ ...told, pushOrigin: fcm, registrations: 3 }),
  );
});

test("a message goes on once its push service is not left alone any more", async () => {
  await bench.register(40, fcm);
  bench.push.answer = () => keyRefused;
  const id = await bench.publish({ ttlSeconds: 86_400 });
  await bench.untilIdle();
  expect(await bench.find(id)).toMatchObject({ state: "paused" });
  bench.push.answer = () => acceptedOutcome;
  bench.clock.nowMs += 5_000;
  await bench.step();
  expect(await bench.breakers()).toEqual([]);
  await bench.step();
  expect(await bench.find(id)).toMatchObject({ state: "sending" });
});

describe("an outage", () => {
  test("of one push service holds up no other, and its rest is not tried again and again", async () => {
    await bench.register(60, fcm);
    await bench.register(60, mozilla);
    const isFcm = (id: number) => id <= 60;
    const down: Outcome = { kind: "retry", reason: "connect-failed", notBefore: null, detail: "" };
    bench.push.answer = (id) => (isFcm(id) ? down : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(sentTo(mozilla)).toBe(60);
    expect(sentTo(fcm)).toBe(20);
    expect(await bench.find(id)).toMatchObject({
      state: "paused",
      counts: countsOf({ accepted: 60, retry: 20 }),
    });
    expect(await bench.breakers()).toMatchObject([{ pushOrigin: fcm, reason: "unavailable" }]);

    // Another message goes to the one that works, and waits for the other.
    const other = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect((await bench.find(other)).counts).toEqual(countsOf({ accepted: 60 }));
    expect(sentTo(fcm)).toBe(20);

    bench.push.answer = () => acceptedOutcome;
    await untilState(id, "done");
    await untilState(other, "done");
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 120 }));
    expect((await bench.find(other)).counts).toEqual(countsOf({ accepted: 120 }));
  });

  test("is known to whoever starts anew, which probes at once when told to", async () => {
    await bench.register(30, fcm);
    bench.push.answer = () => keyRefused;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    await bench.store.reopen();
    await bench.start();
    const before = sentTo(fcm);
    await bench.untilIdle();
    expect(sentTo(fcm)).toBe(before);
    await bench.store.store.breakers.probeAllNow(bench.clock.nowMs);
    bench.push.answer = () => acceptedOutcome;
    await bench.untilIdle();
    expect((await bench.find(id)).counts.accepted).toBeGreaterThan(20);
  });
});

describe("a throttle", () => {
  test("lets the push service have its pause, and goes on after it", async () => {
    await bench.register(40, fcm);
    const pauseEndsMs = bench.clock.nowMs + 90_000;
    // The first retries are due within a second of the pause.
    const probeAtMs = pauseEndsMs + 1_000;
    bench.push.answer = () =>
      bench.clock.nowMs < pauseEndsMs ? retryOutcome(pauseEndsMs) : acceptedOutcome;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(sentTo(fcm)).toBe(10);
    expect(await bench.breakers()).toMatchObject([{ reason: "throttled", probeAtMs }]);
    bench.clock.nowMs = probeAtMs - 1;
    await bench.untilIdle();
    expect(sentTo(fcm)).toBe(10);
    await untilState(id, "done");
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 40 }));
    expect(sentTo(fcm)).toBe(50);
  });
});

describe("a probe", () => {
  test.for(["sender-closed", "sender-failed", "queue-full"] as const)(
    "that ended on our own side (%s) closes nothing, and is not repeated before the next is due",
    async (reason) => {
      await bench.register(40, fcm);
      bench.push.answer = () => keyRefused;
      await bench.publish({ ttlSeconds: 86_400 });
      await bench.untilIdle();
      const sentAfter = async (milliseconds: number) => {
        bench.clock.nowMs += milliseconds;
        await bench.untilIdle();
        return sentTo(fcm);
      };
      expect(await sentAfter(5_000)).toBe(7);
      bench.push.answer = () => ({ kind: "retry", reason, notBefore: null, detail: "" });
      expect([await sentAfter(9_999), await sentAfter(1)]).toEqual([7, 11]);
      expect([await sentAfter(9_999), await sentAfter(1)]).toEqual([11, 15]);
      expect(await bench.breakers()).toMatchObject([{ reason: "vapid-refused", probes: 1 }]);
      // One comes again. The others are new, though more are due again: they may be the ones that are wrong.
      const ids = bench.push.sent.map(({ registrationId }) => registrationId);
      expect(ids).toEqual([1, 2, 3, 1, 4, 5, 6, 2, 7, 8, 9, 3, 10, 11, 12]);
    },
  );

  test("of refusals asks no more at once than it may, and of those that come again no more either", async () => {
    await bench.start({ concurrency: 50, pageSize: 100, planKeys: 1_000 });
    await bench.register(300, fcm);
    bench.push.answer = () => keyRefused;
    await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    let before = sentTo(fcm);
    const probed = () => {
      const count = sentTo(fcm) - before;
      before = sentTo(fcm);
      return count;
    };
    bench.clock.nowMs += 5_000;
    await bench.untilIdle();
    // The last that was enough found others on their way.
    expect(probed()).toBeLessThanOrEqual(2 * 8);
    for (let round = 0; round < 10; round += 1) {
      bench.clock.nowMs += 600_000;
      await bench.untilIdle();
    }
    // All have been sent to: whoever is left comes again. As if it had just been opened.
    const [breaker] = await bench.breakers();
    if (breaker === undefined) throw new Error("it is closed");
    await bench.store.store.breakers.close(breaker);
    await bench.store.store.breakers.open({ ...breaker, probeAtMs: bench.clock.nowMs + 600_000 });
    probed();
    bench.clock.nowMs += 600_000;
    await bench.untilIdle();
    expect(probed()).toBe(8);
  });

  test("that a push service answers for one device alone closes its breaker", async () => {
    const apple = "https://web.push.apple.com";
    await bench.register(40, apple);
    const down = { kind: "retry", reason: "service-unavailable", status: 503 } as const;
    bench.push.answer = () => ({ ...down, notBefore: null, detail: "" });
    await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(await bench.breakers()).toMatchObject([{ reason: "unavailable" }]);
    bench.push.answer = () => retryOutcome();
    bench.clock.nowMs += 5_000;
    await bench.step();
    expect(await bench.breakers()).toEqual([]);
  });

  test("that fails says why, and puts the next one off for as long as is asked", async () => {
    await bench.register(5, fcm);
    bench.push.answer = () => keyRefused;
    await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    bench.clock.nowMs += 5_000;
    const pauseEndsMs = bench.clock.nowMs + 600_000;
    const probeAtMs = pauseEndsMs + 1_000;
    bench.push.answer = () => retryOutcome(pauseEndsMs);
    await bench.untilIdle();
    expect(await bench.breakers()).toMatchObject([{ reason: "throttled", probes: 1, probeAtMs }]);
  });
});

describe("what is known of destinations", () => {
  const at = (pushOrigin: string, vapidKeyId = bench.store.vapidKeyId) => ({
    pushOrigin,
    vapidKeyId,
  });

  /** Breakers that are not the bench's, and what they tell. */
  function apart() {
    const counted: string[] = [];
    const levels: unknown[] = [];
    const breakers = createBreakers({
      store: bench.store.store.breakers,
      log: createLog("info", {
        write: (text) => levels.push((JSON.parse(text) as { level: number }).level),
      }),
      metrics: {
        pushes: () => undefined,
        breaker: (service, event) => counted.push(`${service} ${event}`),
      },
      now: () => bench.clock.nowMs,
    });
    async function open(outcome: Outcome): Promise<void> {
      const evidence = await breakers.evidence(at(fcm));
      for (let id = 1; id <= 20; id += 1)
        evidence.note(outcome, { registrationId: id, refusedAtMs: null }, bench.clock.nowMs);
      await breakers.openIf(at(fcm), evidence);
      await breakers.openIf(at(fcm), evidence);
    }
    return { breakers, open, counted, levels };
  }

  test("is told and counted when a breaker opens and when it closes, once", async () => {
    const { breakers, open, counted, levels } = apart();
    await open(keyRefused);
    // A turn that had begun before it was open.
    await open(keyRefused);
    expect(counted).toEqual(["fcm opened"]);
    await breakers.settleProbe(at(fcm), [{ outcome: acceptedOutcome, known: false }]);
    await breakers.settleProbe(at(fcm), [{ outcome: acceptedOutcome, known: false }]);
    expect(counted).toEqual(["fcm opened", "fcm closed"]);
    await open(retryOutcome());
    expect(levels).toEqual([50, 30, 40]);
  });

  test("begins with what the probe met", async () => {
    const { breakers, open } = apart();
    await open(keyRefused);
    expect((await breakers.evidence(at(fcm))).isOpen()).toBe(false);
    await breakers.settleProbe(at(fcm), [{ outcome: acceptedOutcome, known: false }]);
    expect((await breakers.evidence(at(fcm))).hasAcceptedSince(bench.clock.nowMs)).toBe(true);
  });

  test("is kept for the last thousand", async () => {
    const { breakers } = apart();
    const nth = (index: number) => breakers.evidence(at(`https://push-${index}.example`));
    const [first, second] = [await nth(0), await nth(1)];
    for (let index = 2; index < 1_000; index += 1) await nth(index);
    expect(await nth(0)).toBe(first);
    await nth(1_000);
    // The one that was asked for longest ago is forgotten.
    expect(await nth(0)).toBe(first);
    expect(await nth(1)).not.toBe(second);
  });

  test.for([
    ["vapid-refused", [8, 16, 32, 64, 128, 128]],
    ["refuses-all", [8, 16, 32, 64, 128, 128]],
    ["unavailable", [3, 3, 3, 6, 12, 12]],
    ["throttled", [3, 3, 3, 6, 12, 12]],
  ] as const)(
    "says how many a probe of one that is left alone (%s) asks",
    async ([reason, asked]) => {
      const { breakers } = apart();
      const { store } = bench.store;
      const open = { reason, detail: "", openedAtMs: 1, probeAtMs: 1 };
      await store.breakers.open({ ...at(fcm), ...open });
      const got: unknown[] = [];
      for (const _ of asked) {
        got.push((await breakers.takeProbe(at(fcm)))?.asked);
        expect(await breakers.takeProbe(at(fcm))).toBeNull();
        await store.breakers.probeFailed(at(fcm), open);
      }
      expect(got).toEqual(asked);
    },
  );

  test("is of one push origin and one key: so is the count of probes", async () => {
    const { breakers } = apart();
    const { store } = bench.store;
    const another = await bench.store.addVapidKey("key-2");
    const destinations = [at(fcm), at(fcm, another), at(mozilla)];
    const open = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 1 } as const;
    for (const each of destinations) await store.breakers.open({ ...each, ...open });
    for (let probes = 0; probes < 3; probes += 1) await store.breakers.probeFailed(at(fcm), open);
    const probe = { asked: 3, beside: false };
    expect((await breakers.takeProbe(at(fcm)))?.asked).toBe(6);
    for (const each of destinations.slice(1)) expect(await breakers.takeProbe(each)).toEqual(probe);
    const pauses = (await bench.breakers()).map(({ probeAtMs }) => probeAtMs - bench.clock.nowMs);
    expect(pauses).toEqual([40_000, 5_000, 5_000]);
  });
});

test("probes come less and less often, and as late as the push service asks, within bounds", () => {
  const pauses = [0, 1, 2, 5, 6, 7, 100].map((probes) => nextProbeAt(probes, null, 1_000) - 1_000);
  expect(pauses).toEqual([5_000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000]);
  expect(nextProbeAt(0, 61_000, 1_000)).toBe(62_000);
  expect(nextProbeAt(0, 500, 1_000)).toBe(6_000);
  expect(nextProbeAt(0, 86_400_000, 1_000)).toBe(3_601_000);
});
