import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome, goneOutcome, retryOutcome } from "../test/fake-push.ts";
import type { Outcome } from "../webpush/outcome.ts";

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench();
});
afterEach(() => bench.close());

const sentTo = () =>
  bench.push.sent.map(({ registrationId }) => registrationId).toSorted((a, b) => a - b);

const unanswered = (reason: "connect-timed-out" | "sender-closed"): Outcome => ({
  kind: "retry",
  reason,
  notBefore: null,
  detail: "",
});

/** No page can be written until the disk is freed: as on a full disk, SQLite ends the transaction by itself. */
function fillDisk(): { free: () => void } {
  const other = new DatabaseSync(bench.databasePath);
  const full = "begin select raise(rollback, 'database or disk is full'); end";
  other.exec(`create trigger full before update of cursor on batches ${full}`);
  return {
    free: () => {
      other.exec("drop trigger full");
      other.close();
    },
  };
}

describe("delivery", () => {
  test("reaches everyone once, in pages, a few at a time", async () => {
    await bench.register(10);
    const id = await bench.publish();
    await bench.untilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(bench.push.mostInFlight()).toBe(3);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      plannedCount: 10,
      counts: countsOf({ accepted: 10 }),
    });
    expect(bench.counted).toEqual(new Map([["other accepted", 10]]));
    expect(await bench.step()).toBe(false);
  });

  test("a page that is exactly full is not the end, nor is nobody an endless walk", async () => {
    await bench.register(8);
    const id = await bench.publish();
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 8 }),
    });
    const nobody = await bench.publish({ target: { kind: "token", token: "none" } });
    await bench.untilIdle();
    expect(await bench.find(nobody)).toMatchObject({ state: "done", counts: countsOf({}) });
  });

  test("sending begins before planning has ended", async () => {
    await bench.register(10);
    await bench.start({ pageSize: 2, planKeys: 3 });
    const id = await bench.publish();
    await bench.step();
    await bench.step();
    expect(sentTo()).toEqual([1, 2]);
    expect(await bench.find(id)).toMatchObject({ plannedTo: 3, plannedCount: 3 });
    await bench.untilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await bench.find(id)).toMatchObject({ state: "done", plannedCount: 10 });
  });

  test("planning goes on where it was when the server was killed", async () => {
    await bench.register(10);
    await bench.start({ planKeys: 3 });
    const id = await bench.publish();
    await bench.step();
    await bench.step();
    await bench.store.reopen();
    await bench.start({ planKeys: 3 });
    await bench.untilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await bench.find(id)).toMatchObject({ state: "done", plannedCount: 10 });
  });

  test("one token is one recipient", async () => {
    await bench.register(3);
    await bench.publish({ target: { kind: "token", token: bench.tokens[1] ?? "" } });
    await bench.untilIdle();
    expect(sentTo()).toEqual([2]);
  });

  test("messages take turns of a page", async () => {
    await bench.register(24);
    bench.prove("https://push.example");
    const first = await bench.publish();
    await bench.step();
    await bench.step();
    const second = await bench.publish();
    await bench.untilIdle();
    const pages = bench.push.sent.flatMap(({ messageId }, index) =>
      index % 4 === 0 ? [messageId] : [],
    );
    const both = pages.slice(pages.indexOf(second), pages.lastIndexOf(first) + 1);
    expect(both.length).toBeGreaterThan(6);
    expect(both).toEqual(both.map((_, index) => (index % 2 === 0 ? second : first)));
  });

  test("a new message is next, whatever long walks and due retries there are", async () => {
    await bench.register(20);
    const walked = await bench.publish();
    await bench.step();
    await bench.step();
    await bench.step();
    const before = bench.push.sent.length;
    const added = await bench.publish();
    await bench.untilIdle();
    const after = bench.push.sent.slice(before).map(({ messageId }) => messageId);
    // At most the page that was next when it came.
    expect(after.indexOf(added)).toBeLessThanOrEqual(8);
    expect(after.filter((id) => id === walked).length).toBeGreaterThan(0);
    expect(await bench.find(added)).toMatchObject({ counts: countsOf({ accepted: 20 }) });
  });

  test("whoever registers after the start is not in the audience", async () => {
    await bench.register(2);
    await bench.publish();
    await bench.step();
    await bench.register(1);
    await bench.untilIdle();
    expect(sentTo()).toEqual([1, 2]);
  });

  test("each outcome is counted as what it is, and only gone ends a registration", async () => {
    await bench.register(5);
    bench.push.answer = (registrationId) => {
      switch (registrationId) {
        case 1:
          return goneOutcome;
        case 2:
          return { kind: "rejected", reason: "too-large", status: 413, detail: "too big" };
        case 3:
          return { kind: "failed", reason: "keys-unusable", detail: "" };
        case 4:
          return retryOutcome();
        default:
          return acceptedOutcome;
      }
    };
    const id = await bench.publish();
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({
      state: "sending",
      counts: { accepted: 1, gone: 1, retry: 1, rejected: 1, failed: 1 },
    });
    const { registrations } = bench.store.store;
    expect(await registrations.countLive(bench.store.projectId)).toBe(4);
    const line = bench.logged.find((text) => text.includes("too-large")) ?? "null";
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      messageId: id,
      reason: "too-large",
      detail: "too big",
      registrations: 1,
    });
  });

  test("what is to be retried is retried at its time, until it is accepted", async () => {
    await bench.register(2);
    bench.push.answer = () => retryOutcome(30_000);
    const id = await bench.publish();
    await bench.untilIdle();
    bench.push.answer = (registrationId) =>
      registrationId === 1 ? acceptedOutcome : retryOutcome();
    bench.clock.nowMs = 29_999;
    expect(await bench.step()).toBe(false);
    bench.clock.nowMs = 30_000;
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({ counts: countsOf({ accepted: 1, retry: 1 }) });
    bench.push.answer = () => acceptedOutcome;
    // The second attempt is followed by four seconds.
    bench.clock.nowMs = 34_000;
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 2 }),
    });
    expect(bench.push.sent).toHaveLength(5);
  });

  test("an outage of a day does not lose a message that is worth sending for longer", async () => {
    await bench.register(1);
    bench.push.answer = () => unanswered("connect-timed-out");
    const id = await bench.publish({ ttlSeconds: 28 * 86_400 });
    const outageEndsMs = bench.clock.nowMs + 86_400_000;
    for (; bench.clock.nowMs < outageEndsMs; bench.clock.nowMs += 300_000) await bench.untilIdle();
    expect((await bench.find(id)).counts).toEqual(countsOf({ retry: 1 }));
    // Every quarter of an hour, once the pauses have grown to that.
    expect(bench.push.sent.length).toBeGreaterThan(90);
    expect(bench.push.sent.length).toBeLessThan(120);
    bench.push.answer = () => acceptedOutcome;
    bench.clock.nowMs += 900_000;
    await bench.untilIdle();
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 1 }),
    });
  });

  test("what never left the house does not make the pauses longer", async () => {
    await bench.register(1);
    bench.push.answer = () => unanswered("sender-closed");
    await bench.publish({ ttlSeconds: 3_600 });
    for (let round = 1; round <= 12; round += 1) {
      await bench.untilIdle();
      expect(bench.push.sent).toHaveLength(round);
      bench.clock.nowMs += 2_000;
    }
  });

  test("after its TTL a message is not tried again, and after ten minutes not for the first time", async () => {
    await bench.register(1);
    const missed = await bench.publish({ ttlSeconds: 60 });
    bench.clock.nowMs += 600_000;
    await bench.untilIdle();
    expect(bench.push.sent).toEqual([]);
    expect(await bench.find(missed)).toMatchObject({ state: "done", counts: countsOf({}) });

    bench.push.answer = () => retryOutcome();
    const tried = await bench.publish({ ttlSeconds: 3, scheduledAtMs: bench.clock.nowMs });
    await bench.untilIdle();
    bench.clock.nowMs += 2_999;
    await bench.untilIdle();
    // Once at its time, once after two seconds; the next would have been after four.
    expect(bench.push.sent).toHaveLength(2);
    expect(await bench.find(tried)).toMatchObject({
      state: "done",
      counts: countsOf({ failed: 1 }),
    });
  });

  test("what a breaker held beyond the TTL is not tried again; first attempts are made", async () => {
    await bench.register(26);
    bench.push.answer = () => retryOutcome();
    const id = await bench.publish({ ttlSeconds: 5 });
    await bench.untilIdle();
    const tried = new Set(sentTo());
    expect(tried.size).toBeGreaterThan(0);
    expect(tried.size).toBeLessThan(26);
    bench.push.answer = () => acceptedOutcome;
    bench.clock.nowMs += 60_000;
    await bench.untilIdle();
    expect(sentTo()).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 26 - tried.size, failed: tried.size }),
    });
    expect(await bench.store.store.messages.reasons(id)).toMatchObject([
      { kind: "failed", reason: "expired", count: tried.size },
    ]);
  });

  test("a TTL of 0 is one attempt for everybody", async () => {
    await bench.register(6);
    bench.push.answer = (id) => (id === 2 ? retryOutcome() : acceptedOutcome);
    const id = await bench.publish({ ttlSeconds: 0 });
    bench.clock.nowMs += 30_000;
    await bench.untilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 5, failed: 1 }),
    });
  });

  test("a clock that was ahead and is put back keeps nobody waiting for as long as it was wrong", async () => {
    await bench.register(4);
    bench.clock.nowMs += 7_200_000;
    bench.push.answer = (id) => (id <= 2 ? retryOutcome() : acceptedOutcome);
    const tried = await bench.publish({ ttlSeconds: 86_400, scheduledAtMs: bench.clock.nowMs });
    await bench.untilIdle();
    const fresh = await bench.publish({ ttlSeconds: 86_400, scheduledAtMs: bench.clock.nowMs });
    bench.clock.nowMs -= 7_200_000;
    bench.push.answer = () => acceptedOutcome;
    await bench.untilIdle();
    bench.clock.nowMs += 3_000;
    await bench.untilIdle();
    for (const id of [tried, fresh]) {
      expect(await bench.find(id)).toMatchObject({ counts: countsOf({ accepted: 4 }) });
    }
    expect(bench.push.sent).toHaveLength(10);
  });

  test("a clock is put back if it is by more than a minute, once, and breakers are probed then", async () => {
    const destination = { pushOrigin: "https://push.example", vapidKeyId: 1 };
    const breaker = { ...destination, reason: "throttled", detail: "", openedAtMs: 1 } as const;
    await bench.store.store.breakers.open({ ...breaker, probeAtMs: 7_200_000 });
    const steps = async (byMs: number) => {
      bench.clock.nowMs += byMs;
      await bench.untilIdle();
      await bench.step();
      const told = bench.logged.filter((line) => line.includes("the clock was put back"));
      return [told.length, (await bench.breakers())[0]?.probeAtMs];
    };
    expect(await steps(3_600_000)).toEqual([0, 7_200_000]);
    expect(await steps(-60_000)).toEqual([0, 7_200_000]);
    expect(await steps(-60_001)).toEqual([1, 3_480_999]);
    expect(await steps(1)).toEqual([1, 3_480_999]);
  });

  test("who left while a retry waited is not sent to", async () => {
    await bench.register(1);
    bench.push.answer = () => retryOutcome();
    const id = await bench.publish();
    await bench.untilIdle();
    await bench.store.store.registrations.leave(1, bench.clock.nowMs);
    bench.clock.nowMs += 10_000;
    await bench.untilIdle();
    expect(bench.push.sent).toHaveLength(1);
    expect(await bench.find(id)).toMatchObject({ state: "done", counts: countsOf({ failed: 1 }) });
  });

  test("a browser that subscribed anew while it was sent to gets the message there", async () => {
    await bench.register(1);
    bench.push.answer = async () => {
      bench.push.answer = () => acceptedOutcome;
      const renew = () => ({ kind: "renew", id: 1 }) as const;
      const { store, candidate } = bench.store;
      await store.registrations.register(candidate(), renew, bench.clock.nowMs);
      return goneOutcome;
    };
    const id = await bench.publish();
    await bench.untilIdle();
    expect(bench.push.sent.map(({ generation }) => generation)).toEqual([1, 2]);
    expect(new Set(bench.push.sent.map(({ endpoint }) => endpoint)).size).toBe(2);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 1 }),
    });
    const { registrations } = bench.store.store;
    expect(await registrations.countLive(bench.store.projectId)).toBe(1);
  });

  test("a message whose row cannot be read is cancelled, and holds up no other", async () => {
    await bench.register(2);
    // The ids of one millisecond are in no order, and planning goes by them.
    const ids = [await bench.publish(), await bench.publish(), await bench.publish()];
    const [first = "", second = "", well = ""] = ids.toSorted();
    const database = new DatabaseSync(bench.databasePath);
    const spoil = database.prepare("update messages set notification = '{}' where id = ?");
    spoil.run(first);
    await bench.step();
    await bench.step();
    spoil.run(second);
    database.close();
    await bench.untilIdle();
    expect((await bench.find(well)).counts).toEqual(countsOf({ accepted: 2 }));
    const states = await bench.store.store.messages.countByState();
    expect(states).toEqual({ done: 1, cancelled: 2 });
    expect(bench.logged.filter((line) => line.includes("unreadable"))).toHaveLength(2);
  });
});

describe("what came of a page", () => {
  test("is written again until it is, and not sent again", async () => {
    await bench.register(3);
    const id = await bench.publish();
    await bench.step();
    const disk = fillDisk();
    const pauses: number[] = [];
    bench.onPause = (milliseconds) => {
      if (pauses.push(milliseconds) === 10) disk.free();
    };
    await bench.untilIdle();
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(bench.logged.filter((line) => line.includes("disk is full"))).toHaveLength(10);
    expect(sentTo()).toEqual([1, 2, 3]);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 3 }),
    });
  });

  test("of retries, too", async () => {
    await bench.register(2);
    bench.push.answer = () => retryOutcome();
    const id = await bench.publish();
    await bench.untilIdle();
    bench.clock.nowMs += 5_000;
    bench.push.answer = (registrationId) => (registrationId === 1 ? acceptedOutcome : goneOutcome);
    const disk = fillDisk();
    let pauses = 0;
    bench.onPause = () => {
      pauses += 1;
      if (pauses === 3) disk.free();
    };
    await bench.untilIdle();
    expect(pauses).toBe(3);
    expect(sentTo()).toEqual([1, 1, 2, 2]);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 1, gone: 1 }),
    });
  });

  test("is tried once more at a stop, and then done again from the last checkpoint on", async () => {
    await bench.register(10);
    const id = await bench.publish();
    await bench.step();
    await bench.step();
    expect(sentTo()).toEqual([1, 2, 3, 4]);
    const disk = fillDisk();
    bench.onPause = () => {
      if (bench.stopping.signal.aborted) throw new Error("it pauses after the stop");
      bench.stopping.abort();
    };
    await bench.step();
    expect(bench.logged.at(-1)).toContain("delivery turn failed");
    disk.free();
    await bench.store.reopen();
    await bench.start();
    await bench.untilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10]);
    expect(await bench.find(id)).toMatchObject({
      state: "done",
      counts: countsOf({ accepted: 10 }),
    });
  });
});
