import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { isMadeUp } from "./page.ts";

const madeUp = "https://made-up.notify.windows.com";
const real = "https://wns2-par02p.notify.windows.com";
const fcm = "https://fcm.googleapis.com";
const ownHost = "https://push.example";
const hour = 3_600_000;
const month = 28 * 86_400;

const unresolved: Outcome = {
  kind: "retry",
  reason: "name-not-resolved",
  notBefore: null,
  detail: "getaddrinfo ENOTFOUND",
};

let bench: DeliveryBench;
/** Push origins that answer nothing. */
let dead: Set<string>;
beforeEach(async () => {
  bench = await deliveryBench();
  dead = new Set([madeUp]);
  bench.push.answer = (_, pushOrigin) => (dead.has(pushOrigin) ? unresolved : acceptedOutcome);
});
afterEach(() => bench.close());

const sentTo = (pushOrigin: string): number =>
  bench.push.sent.filter((each) => each.pushOrigin === pushOrigin).length;
const countsOfMessage = async (id: string) => (await bench.find(id)).counts;

/** As time goes on, by an hour at a time. */
async function pass(milliseconds: number): Promise<void> {
  const untilMs = bench.clock.nowMs + milliseconds;
  while (bench.clock.nowMs < untilMs) {
    bench.clock.nowMs += hour;
    await bench.untilIdle();
  }
}

async function publishTo(token = -1, ttlSeconds = month): Promise<string> {
  const target =
    token < 0
      ? ({ kind: "all" } as const)
      : ({ kind: "token", token: bench.tokens[token] ?? "" } as const);
  const id = await bench.publish({ target, ttlSeconds, scheduledAtMs: bench.clock.nowMs });
  await bench.untilIdle();
  return id;
}

describe("whether a host is given up", () => {
  const host = { isGivenUp: false, othersAcceptedAtMs: 100 };
  const tried = { attempts: 6, firstTriedAtMs: 100 };
  const nowMs = 100 + 6 * hour;

  test("takes six attempts, over six hours, in which another one accepted something", () => {
    expect(isMadeUp(host, tried, nowMs)).toBe(true);
    expect(isMadeUp(host, { ...tried, attempts: 5 }, nowMs)).toBe(false);
    expect(isMadeUp(host, tried, nowMs - 1)).toBe(false);
    expect(isMadeUp({ ...host, othersAcceptedAtMs: 99 }, tried, nowMs)).toBe(false);
    expect(isMadeUp({ ...host, othersAcceptedAtMs: null }, tried, nowMs)).toBe(false);
  });

  test("is known at once of one that was given up before, and never of one that cannot be made up", () => {
    const once = { attempts: 1, firstTriedAtMs: nowMs };
    expect(isMadeUp({ isGivenUp: true, othersAcceptedAtMs: null }, once, nowMs)).toBe(true);
    expect(isMadeUp(undefined, tried, nowMs)).toBe(false);
  });
});

describe("a message to a host that anybody may have made up", () => {
  test("gives it up after six hours in which others accept, and says why", async () => {
    await bench.register(1, madeUp);
    await bench.register(1, fcm);
    const id = await publishTo();
    await pass(5 * hour);
    expect(await countsOfMessage(id)).toEqual(countsOf({ accepted: 1, retry: 1 }));
    await publishTo(1);
    await pass(2 * hour);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 1, failed: 1 }),
    });
    expect(await bench.store.store.messages.reasons(id)).toMatchObject([
      {
        pushOrigin: madeUp,
        kind: "failed",
        reason: "never-accepted",
        detail: "name-not-resolved getaddrinfo ENOTFOUND",
      },
    ]);
    expect(sentTo(madeUp)).toBeGreaterThanOrEqual(6);
  });

  test("goes on as long as nobody else accepts: it may be our way out that is broken", async () => {
    await bench.register(1, madeUp);
    await bench.register(1, fcm);
    dead.add(fcm);
    const id = await publishTo();
    await pass(24 * hour);
    expect(await countsOfMessage(id)).toEqual(countsOf({ retry: 2 }));
    dead.delete(fcm);
    await pass(hour);
    expect(await countsOfMessage(id)).toEqual(countsOf({ accepted: 1, failed: 1 }));
  });

  test("that was given up is tried once by those that follow", async () => {
    await bench.register(1, madeUp);
    await bench.register(1, fcm);
    await publishTo();
    await pass(5 * hour);
    await publishTo(1);
    await pass(2 * hour);
    const before = sentTo(madeUp);
    const id = await publishTo();
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 1, failed: 1 }),
    });
    expect(sentTo(madeUp)).toBe(before + 1);
    // Also for a server that starts anew.
    await bench.start();
    await publishTo();
    expect(sentTo(madeUp)).toBe(before + 2);
  });

  test("that accepts after all is forgiven", async () => {
    await bench.register(2, madeUp);
    await bench.register(1, fcm);
    await bench.store.store.delivery.giveUp(madeUp, bench.clock.nowMs);
    expect(await countsOfMessage(await publishTo(0))).toEqual(countsOf({ failed: 1 }));
    dead.delete(madeUp);
    expect(await countsOfMessage(await publishTo(0))).toEqual(countsOf({ accepted: 1 }));
    expect(await bench.store.store.delivery.hasGivenUp(madeUp)).toBe(false);
    dead.add(madeUp);
    await publishTo(2);
    const id = await publishTo(1);
    await pass(24 * hour);
    await publishTo(2);
    await pass(hour);
    // It has accepted something: from now on it is one like any other.
    expect(await countsOfMessage(id)).toEqual(countsOf({ retry: 1 }));
  });

  test("is given up by probes, too", async () => {
    await bench.register(1, madeUp);
    await bench.register(1, fcm);
    await bench.store.store.breakers.open({
      pushOrigin: madeUp,
      vapidKeyId: bench.store.vapidKeyId,
      reason: "unavailable",
      detail: "",
      openedAtMs: bench.clock.nowMs,
      probeAtMs: bench.clock.nowMs,
    });
    const id = await publishTo();
    await pass(5 * hour);
    expect(await countsOfMessage(id)).toEqual(countsOf({ accepted: 1, retry: 1 }));
    await publishTo(1);
    await pass(2 * hour);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 1, failed: 1 }),
    });
    expect(await bench.store.store.delivery.hasGivenUp(madeUp)).toBe(true);
  });
});

test.for([fcm, ownHost, real])(
  "%s is never given up: it is no host that anybody could make up, or it has accepted something",
  async (pushOrigin) => {
    await bench.register(1, pushOrigin);
    await bench.register(1, "https://updates.push.services.mozilla.com");
    if (pushOrigin === real) bench.prove(real);
    dead.add(pushOrigin);
    const id = await publishTo();
    await pass(7 * hour);
    await publishTo(1);
    await pass(24 * hour);
    expect(await countsOfMessage(id)).toEqual(countsOf({ accepted: 1, retry: 1 }));
    expect(await bench.store.store.delivery.hasGivenUp(pushOrigin)).toBe(false);
  },
);

test("a push that was in a thread which ended, six times, fails", async () => {
  await bench.register(2, fcm);
  bench.prove(fcm);
  const failed: Outcome = { kind: "retry", reason: "sender-failed", notBefore: null, detail: "" };
  bench.push.answer = (id) => (id === 1 ? failed : acceptedOutcome);
  const id = await publishTo();
  await pass(24 * hour);
  expect(await bench.find(id)).toMatchObject({
    state: "done",
    counts: countsOf({ accepted: 1, failed: 1 }),
  });
  expect(bench.push.sent.filter(({ registrationId }) => registrationId === 1)).toHaveLength(6);
  expect(await bench.store.store.messages.reasons(id)).toMatchObject([
    { kind: "failed", reason: "sender-failed" },
  ]);
});
