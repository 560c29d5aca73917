import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { nextProbeAt } from "./breakers.ts";

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

      // A day later it is still so: probes, one push each, at most every five minutes in the end.
      for (let hour = 0; hour < 20; hour += 1) {
        bench.clock.nowMs += 3_600_000;
        await bench.untilIdle();
      }
      expect(sentTo(fcm)).toBeLessThanOrEqual(Math.min(count, 3) + 20);
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
    await bench.register(40, fcm);
    bench.push.answer = (id) => (id > 20 ? keyRefused : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({ state: "paused" });
    bench.push.answer = () => acceptedOutcome;
    await untilState(id, "done");
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 40 }));
  });
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
    bench.push.answer = () =>
      bench.clock.nowMs < pauseEndsMs ? retryOutcome(pauseEndsMs) : acceptedOutcome;
    const id = await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(sentTo(fcm)).toBe(10);
    expect(await bench.breakers()).toMatchObject([{ reason: "throttled", probeAtMs: pauseEndsMs }]);
    bench.clock.nowMs = pauseEndsMs - 1;
    await bench.untilIdle();
    expect(sentTo(fcm)).toBe(10);
    await untilState(id, "done");
    expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 40 }));
    expect(sentTo(fcm)).toBe(50);
  });
});

test("probes come less and less often, and as late as the push service asks, within bounds", () => {
  const pauses = [0, 1, 2, 5, 6, 7, 100].map((probes) => nextProbeAt(probes, null, 1_000) - 1_000);
  expect(pauses).toEqual([5_000, 10_000, 20_000, 160_000, 300_000, 300_000, 300_000]);
  expect(nextProbeAt(0, 61_000, 1_000)).toBe(61_000);
  expect(nextProbeAt(0, 500, 1_000)).toBe(6_000);
  expect(nextProbeAt(0, 86_400_000, 1_000)).toBe(3_601_000);
});
