import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { createLog } from "../log.ts";
import type { PushOriginKey } from "../store/port.ts";
import { acceptedOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { createBreakers, type Probed } from "./breakers.ts";

const hosts = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `https://${name}${index}.notify.windows.com`);
const proven = hosts("proven", 6);
const unproven = hosts("unproven", 6);

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench();
  bench.prove(...proven);
});
afterEach(() => bench.close());

/** A breaker holds each of them, and its probe is due from then on. */
async function hold(pushOrigins: readonly string[], probeAtMs: number): Promise<void> {
  for (const pushOrigin of pushOrigins) {
    await bench.register(1, pushOrigin);
    await bench.store.store.breakers.open({
      pushOrigin,
      vapidKeyId: bench.store.vapidKeyId,
      reason: "unavailable",
      detail: "",
      openedAtMs: 1,
      probeAtMs,
    });
  }
}

/** Probes are not answered until they are let go. */
function holdAnswers(): { letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.push.answer = async () => {
    await promise;
    return acceptedOutcome;
  };
  return { letGo: () => resolve() };
}

const sentTo = () => bench.push.sent.map(({ pushOrigin }) => pushOrigin);
const isOf = (pushOrigins: readonly string[]) =>
  sentTo().filter((each) => pushOrigins.includes(each));

/** Some steps, none of which waits for what it has begun. */
async function steps(): Promise<void> {
  const dispatch = bench.dispatch();
  for (let count = 0; count < 30; count += 1) {
    await dispatch.step(bench.stopping.signal, () => undefined);
  }
  await new Promise(setImmediate);
}

const reset: Outcome = {
  kind: "retry",
  reason: "connect-failed",
  notBefore: null,
  detail: "reset",
};

test("so many probes are made at once, and fewer at push origins that have never accepted anything", async () => {
  await bench.start({ probes: { most: 4, mostUnproven: 2 } });
  await hold(unproven, 1);
  await hold(proven, 2);
  const id = await bench.publish({ ttlSeconds: 86_400 });
  const { letGo } = holdAnswers();
  await bench.until(() => bench.push.sent.length >= 6);
  await steps();
  // Of each kind those that are due longest, and none of them twice.
  expect(isOf(unproven).toSorted()).toEqual(unproven.slice(0, 2));
  expect(isOf(proven).toSorted()).toEqual(proven.slice(0, 4));
  letGo();
  await bench.untilIdle();
  expect(await bench.find(id)).toMatchObject({ state: "done", counts: countsOf({ accepted: 12 }) });
  expect(bench.push.sent).toHaveLength(12);
});

test("a push origin that does not answer is probed once at a time, though its next probe is due", async () => {
  await hold(proven.slice(0, 1), 1);
  await bench.publish({ ttlSeconds: 86_400 });
  await bench.publish({ ttlSeconds: 86_400 });
  const { letGo } = holdAnswers();
  await bench.until(() => bench.push.sent.length === 1);
  bench.clock.nowMs += 30_000;
  await steps();
  expect(bench.push.sent).toHaveLength(1);
  letGo();
  await bench.untilIdle();
  expect(bench.push.sent).toHaveLength(2);
});

/** As start-delivery.ts has it. */
const parts = {
  pageSize: 500,
  concurrency: 100,
  unprovenSlots: 10,
  lookups: 3,
  unprovenPageSize: 20,
  turnsPerDestination: 2,
  probes: { most: 16, mostUnproven: 2 },
  planKeys: 5_000,
  random: () => 0.9,
};
const each = 60;

/** Seconds until so many have the message. */
async function secondsUntil(id: string, accepted: number): Promise<number> {
  const startMs = bench.clock.nowMs;
  for (;;) {
    await bench.untilIdle();
    const seconds = (bench.clock.nowMs - startMs) / 1_000;
    if ((await bench.find(id)).counts.accepted === accepted) return seconds;
    if (seconds > 600) throw new Error("ten minutes were not enough");
    bench.clock.nowMs += 500;
  }
}

const throttled = (seconds: number) => retryOutcome(bench.clock.nowMs + seconds * 1_000);
const unavailable: Outcome = {
  kind: "retry",
  reason: "service-unavailable",
  status: 503,
  notBefore: null,
  detail: "",
};
const keyRefused: Outcome = {
  kind: "rejected",
  reason: "vapid-refused",
  status: 403,
  detail: "",
};

describe("push services that refuse", () => {
  const twelve = hosts("new", 12);
  beforeEach(async () => {
    await bench.start(parts);
    for (const pushOrigin of twelve) await bench.register(each, pushOrigin);
  });

  test.for<[string, () => Outcome, number]>([
    ["429", () => retryOutcome(), 10],
    ["429 for a second", () => throttled(1), 10],
    ["429 for ten seconds", () => throttled(10), 22],
    ["429 for half a minute", () => throttled(30), 62],
    ["503", () => unavailable, 10],
    ["403, as if the key were another", () => keyRefused, 10],
  ])("each newcomer once (%s) get all of it soon", async ([, refusal, mostSeconds]) => {
    const known = new Set<number>();
    bench.push.answer = (id) => {
      if (known.has(id)) return acceptedOutcome;
      known.add(id);
      return refusal();
    };
    const id = await bench.publish({ ttlSeconds: 86_400 });
    expect(await secondsUntil(id, 12 * each)).toBeLessThanOrEqual(mostSeconds);
    expect(bench.push.sent).toHaveLength(2 * 12 * each);
    expect(await bench.breakers()).toEqual([]);
  });

  test.for([10, 20, 40])("a key for %i s keep nobody waiting once it is right", async (seconds) => {
    const rightAtMs = bench.clock.nowMs + seconds * 1_000;
    bench.push.answer = () => (bench.clock.nowMs < rightAtMs ? keyRefused : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    // The next probe is at most as long away as the refusals have lasted.
    expect(await secondsUntil(id, 12 * each)).toBeLessThanOrEqual(2 * seconds + 10);
  });

  test("the same few always are probed with others, too", async () => {
    const refused = 12;
    const isRefused = (id: number) => (id - 1) % each < refused;
    bench.push.answer = (id) => (isRefused(id) ? throttled(1) : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 86_400 });
    expect(await secondsUntil(id, 12 * (each - refused))).toBeLessThanOrEqual(35);
  });

  test.for<[string, () => Outcome]>([
    ["503", () => unavailable],
    ["429", () => throttled(3_600)],
  ])("the key are asked no more once two answer %s instead", async ([, refusal]) => {
    const [pushOrigin = ""] = twelve;
    await bench.start({ ...parts, concurrency: 1, unprovenSlots: 1 });
    const at = { pushOrigin, vapidKeyId: bench.store.vapidKeyId };
    const reason = "vapid-refused" as const;
    const { breakers } = bench.store.store;
    await breakers.open({ ...at, reason, detail: "", openedAtMs: 1, probeAtMs: 1 });
    for (let probes = 0; probes < 4; probes += 1) {
      await breakers.probeFailed(at, { reason, detail: "", probeAtMs: 1 });
    }
    bench.push.answer = (_, origin) => (origin === pushOrigin ? refusal() : acceptedOutcome);
    await bench.publish({ ttlSeconds: 86_400 });
    await bench.untilIdle();
    expect(isOf([pushOrigin])).toHaveLength(2);
  });
});

describe("push services that refuse again", () => {
  beforeEach(async () => {
    await bench.start(parts);
    for (const pushOrigin of [proven[0] ?? "", unproven[0] ?? ""]) {
      await bench.register(each, pushOrigin);
    }
  });

  test.for<[string, (() => Outcome)[], number]>([
    ["429, 429", [() => retryOutcome(), () => retryOutcome()], 30],
    ["503, 503", [() => unavailable, () => unavailable], 30],
    ["a reset, 429, 503", [() => reset, () => retryOutcome(), () => unavailable], 60],
    ["429 four times", Array.from({ length: 4 }, () => () => retryOutcome()), 140],
    ["403, 403", [() => keyRefused, () => keyRefused], 90],
    ["403, 429", [() => keyRefused, () => retryOutcome()], 90],
    ["429, 403", [() => retryOutcome(), () => keyRefused], 90],
  ])("each newcomer a few times (%s) get all of it", async ([, refusals, mostSeconds]) => {
    const met = new Map<number, number>();
    bench.push.answer = (id) => {
      const before = met.get(id) ?? 0;
      met.set(id, before + 1);
      return refusals[before]?.() ?? acceptedOutcome;
    };
    const id = await bench.publish({ ttlSeconds: 86_400 });
    expect(await secondsUntil(id, 2 * each)).toBeLessThanOrEqual(mostSeconds);
    expect(await bench.breakers()).toEqual([]);
  });

  test.for<[refused: number, mostSeconds: number]>([
    [1, 15],
    [12, 170],
  ])("%i registrations always, and each other once", async ([refused, mostSeconds]) => {
    const known = new Set<number>();
    bench.push.answer = (id) => {
      if ((id - 1) % each >= refused && known.has(id)) return acceptedOutcome;
      known.add(id);
      return retryOutcome();
    };
    const id = await bench.publish({ ttlSeconds: 86_400 });
    expect(await secondsUntil(id, 2 * (each - refused))).toBeLessThanOrEqual(mostSeconds);
  });
});

describe("of a probe that has met several troubles", () => {
  const [pushOrigin = ""] = hosts("troubled", 1);
  const minutes = (count: number) => bench.clock.nowMs + count * 60_000;
  /** What a probe there has met. */
  function settle(at: PushOriginKey, probed: readonly Probed[]) {
    const { breakers: store } = bench.store.store;
    const log = createLog("error", { write: () => undefined });
    const metrics = { pushes: () => undefined, breaker: () => undefined };
    return createBreakers({ store, log, metrics, now: () => bench.clock.nowMs }).settleProbe(
      at,
      probed,
    );
  }

  const refused = (reason: "vapid-refused" | "request-refused"): Outcome => {
    return { kind: "rejected", reason, status: 403, detail: "no" };
  };

  test.for<[name: string, second: () => Outcome]>([
    ["a shorter pause", () => retryOutcome(bench.clock.nowMs + 1_000)],
    ["an outage", () => reset],
    ["a key that is refused", () => refused("vapid-refused")],
    ["a refusal", () => refused("request-refused")],
  ])("the longest pause counts, and the trouble that was known: with %s", async ([, second]) => {
    const { breakers: store } = bench.store.store;
    const at = { pushOrigin, vapidKeyId: bench.store.vapidKeyId };
    await store.open({ ...at, reason: "throttled", detail: "", openedAtMs: 1, probeAtMs: 1 });
    const [first, other] = [retryOutcome(minutes(30)), second()];
    for (const outcomes of [
      [first, other],
      [other, first],
    ]) {
      await settle(
        at,
        outcomes.map((outcome) => ({ outcome, known: false })),
      );
      expect(await bench.breakers()).toMatchObject([
        { reason: "throttled", probeAtMs: minutes(30) + 1_000 },
      ]);
    }
  });

  test.for<[name: string, reason: "throttled" | "vapid-refused", expected: string]>([
    ["an outage comes before a refusal", "throttled", "unavailable"],
    ["a refusal that was known comes first", "vapid-refused", "vapid-refused"],
  ])("%s", async ([, reason, expected]) => {
    const { breakers: store } = bench.store.store;
    const at = { pushOrigin, vapidKeyId: bench.store.vapidKeyId };
    await store.open({ ...at, reason, detail: "", openedAtMs: 1, probeAtMs: 1 });
    const outcomes = [reset, refused("vapid-refused"), reset];
    await settle(
      at,
      outcomes.map((outcome) => ({ outcome, known: false })),
    );
    expect(await bench.breakers()).toMatchObject([{ reason: expected }]);
  });
});
