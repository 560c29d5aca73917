import { describe, expect, test } from "vitest";
import type { Batch, PushOriginKey } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  gone,
  leaseNext,
  leaseOf,
  mustLease,
  mustLeaseHeld,
  planMessage,
  planOn,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";

const [a, b] = ["https://a.example", "https://b.example"] as const;

export function endingContract(bench: () => ContractBench): void {
  const at = (pushOrigin: string): PushOriginKey => ({
    pushOrigin,
    vapidKeyId: bench().vapidKeyId,
  });
  const stateOf = async (id: string) => (await findMessage(bench(), id)).state;
  const openBreaker = (pushOrigin: string) =>
    bench().store.breakers.open({
      ...at(pushOrigin),
      reason: "vapid-refused",
      detail: "403",
      openedAtMs: 1_000,
      probeAtMs: 5_000,
    });

  describe("the end of a message", () => {
    test("is done when it is planned to the end and no batch is open, once", async () => {
      await bench().add();
      await bench().add();
      const message = await startMessage(bench());
      const { store } = bench();
      const options = { keys: 1, dueAt: () => 1_000 };
      await store.delivery.planPart(message, options, 1_000);
      await writePage(store, await mustLease(store, 1_000), { walked: [accepted(1)] }, 1_000);
      // Nothing is open, but there is more to plan.
      expect(await store.delivery.finishMessages(1_000)).toEqual([]);
      await store.delivery.planPart(await findMessage(bench(), message.id), options, 1_000);
      expect(await store.delivery.finishMessages(1_000)).toEqual([]);
      await writePage(store, await mustLease(store, 1_000), { walked: [accepted(2)] }, 1_000);
      expect(await store.delivery.finishMessages(3_000)).toEqual([message.id]);
      expect(await store.delivery.finishMessages(3_000)).toEqual([]);
      expect(await findMessage(bench(), message.id)).toMatchObject({
        state: "done",
        endedAtMs: 3_000,
      });
      expect(await store.delivery.nextToPlan(9_000)).toBeNull();
    });

    test("a batch expires when its time is over; retries left have failed", async () => {
      await bench().add();
      await bench().add();
      const message = await planMessage(bench(), { ttlSeconds: 700 });
      const { store } = bench();
      const batch = await mustLease(store, 1_000);
      await writePage(store, batch, { to: 1, walked: [retry(1, 700_000)] }, 1_000);
      expect(await store.delivery.expireBatches(700_999)).toBe(0);
      expect(await store.delivery.expireBatches(701_000)).toBe(1);
      expect(await store.delivery.expireBatches(701_000)).toBe(0);
      expect(await leaseNext(store, 701_000)).toBeNull();
      const counts = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 1 };
      expect(await findMessage(bench(), message.id)).toMatchObject({ counts, plannedCount: 2 });
      expect(await store.messages.progress(message.id)).toMatchObject([{ planned: 2, counts }]);
      expect(await store.messages.reasons(message.id)).toMatchObject([
        { kind: "failed", reason: "expired", count: 1 },
      ]);
      expect(await store.delivery.finishMessages(701_000)).toEqual([message.id]);
    });

    test("retries end with the TTL, also where first attempts may come later", async () => {
      await bench().add();
      await bench().add();
      const { id } = await planMessage(bench(), { ttlSeconds: 5 });
      const { store } = bench();
      const half = { to: 1, walked: [retry(1, 2_000)] };
      await writePage(store, await mustLease(store, 1_000), half, 1_000);
      // There is a first attempt to come: that may be ten minutes late.
      expect(await store.delivery.expireBatches(6_000)).toBe(0);
      const rest = { walked: [retry(2, 5_999)] };
      await writePage(store, await mustLease(store, 1_000), rest, 1_000);
      expect(await store.delivery.expireBatches(5_999)).toBe(0);
      expect(await store.delivery.expireBatches(6_000)).toBe(1);
      const counts = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 2 };
      expect(await findMessage(bench(), id)).toMatchObject({ counts });
    });

    test.for([
      ["expires", () => bench().store.delivery.expireBatches(701_000), "expired"],
      [
        "is cancelled",
        (id: string) => bench().store.delivery.cancelUnreadable(id, 2_000),
        "cancelled",
      ],
    ] as const)("what had come of others stays when a batch %s", async ([, end, reason]) => {
      for (let count = 0; count < 4; count += 1) await bench().add();
      const { id } = await planMessage(bench(), { ttlSeconds: 700 });
      const { store } = bench();
      const walked = [retry(1, 700_000), refused(2), gone(3), accepted(4)];
      await writePage(store, await mustLease(store, 1_000), { walked }, 1_000);
      await end(id);
      const counts = { accepted: 1, gone: 1, retry: 0, rejected: 1, failed: 1 };
      expect(await findMessage(bench(), id)).toMatchObject({ counts });
      expect(
        (await store.messages.reasons(id)).map((each) => [each.kind, each.reason, each.count]),
      ).toEqual([
        ["failed", reason, 1],
        ["rejected", "too-large", 1],
      ]);
    });

    test("a batch that is worked on does not expire; one whose lease has ended does", async () => {
      await bench().add();
      await planMessage(bench());
      const { store } = bench();
      const batch = await mustLease(store, 600_000);
      expect(await store.delivery.expireBatches(659_999)).toBe(0);
      expect(await store.delivery.expireBatches(660_000)).toBe(1);
      // What was sent all the same is counted, and not tried again.
      expect(await writePage(store, batch, { walked: [retry(1, 661_000)] }, 660_001)).toMatchObject(
        { counts: { retry: 0, failed: 1 }, done: true },
      );
      expect(await leaseNext(store, 661_000)).toBeNull();
    });

    test("many expire in several goes", async () => {
      for (let count = 0; count < 30; count += 1) await bench().add();
      for (let count = 0; count < 4; count += 1) await planMessage(bench(), {}, { keys: 1 });
      const { delivery } = bench().store;
      const goes: number[] = [];
      for (;;) {
        const ended = await delivery.expireBatches(700_000);
        if (ended === 0) break;
        goes.push(ended);
      }
      expect(goes.length).toBeGreaterThan(1);
      expect(goes.reduce((sum, ended) => sum + ended, 0)).toBe(120);
      expect(await delivery.finishMessages(700_000)).toHaveLength(4);
    });

    test("of a message that cannot be read: cancelled with its batches", async () => {
      const { store } = bench();
      await bench().add();
      await bench().add();
      const message = await planMessage(bench(), {}, { keys: 1 });
      await writePage(store, await mustLease(store, 1_000), { walked: [retry(1, 2_000)] }, 1_000);
      expect(await store.delivery.cancelUnreadable(message.id, 1_500)).toBe(true);
      expect(await leaseNext(store, 9_000)).toBeNull();
      expect(await findMessage(bench(), message.id)).toMatchObject({
        state: "cancelled",
        endedAtMs: 1_500,
        counts: { retry: 0, failed: 1 },
      });
      expect(await store.delivery.cancelUnreadable(message.id, 1_600)).toBe(false);
      expect(await store.delivery.queue(9_000)).toMatchObject({ openBatches: 0, retries: 0 });
    });
  });

  /** A message that is cancelled while a page of two is on its way, and one of two retries with it. */
  async function cancelledInFlight() {
    for (let count = 0; count < 4; count += 1) await bench().add();
    const message = await planMessage(bench());
    const { store, projectId } = bench();
    const first = await mustLease(store, 1_000);
    const walked = [retry(1, 1_100), retry(2, 9_000)];
    await writePage(store, first, { to: 2, walked }, 1_000);
    const batch = await mustLease(store, 1_200);
    expect(await store.messages.cancel(projectId, message.id, 1_300)).toBe(true);
    return { message, batch };
  }

  describe("a cancelled message", () => {
    test("counts what was on its way; what would be tried again has failed", async () => {
      const { message, batch } = await cancelledInFlight();
      const { store } = bench();
      const page = {
        to: 4,
        walked: [accepted(3), retry(4, 5_000)],
        retried: [{ attempts: 1, delivered: accepted(1) }],
      };
      expect(await writePage(store, batch, page, 1_400)).toMatchObject({
        counts: { accepted: 2, gone: 0, retry: 0, rejected: 0, failed: 1 },
        done: true,
      });
      const counts = { accepted: 2, gone: 0, retry: 0, rejected: 0, failed: 2 };
      expect(await findMessage(bench(), message.id)).toMatchObject({ state: "cancelled", counts });
      expect(await store.messages.progress(message.id)).toMatchObject([{ planned: 4, counts }]);
      const reasons = await store.messages.reasons(message.id);
      expect(reasons).toMatchObject([{ kind: "failed", reason: "cancelled", count: 2 }]);
      expect(await leaseNext(store, 9_000)).toBeNull();
    });

    test.for([
      ["given back", (batch: Batch) => bench().store.delivery.release(leaseOf(batch)), 1_400],
      ["taken from all", () => bench().store.delivery.releaseAll(), 1_400],
      ["ended", async () => undefined, 61_200],
    ] as const)("keeps no retry when its lease is %s", async ([, end, nowMs]) => {
      const { message, batch } = await cancelledInFlight();
      const { store } = bench();
      expect(await store.delivery.expireBatches(1_300)).toBe(0);
      expect((await findMessage(bench(), message.id)).counts.retry).toBe(2);
      await end(batch);
      await store.delivery.expireBatches(nowMs);
      const counts = { retry: 0, failed: 2 };
      expect(await findMessage(bench(), message.id)).toMatchObject({ counts });
      expect(await store.messages.progress(message.id)).toMatchObject([{ counts }]);
    });
  });

  describe("a message whose push services are left alone", () => {
    test("pauses when all that is left is held, goes on when a part is free, and can end", async () => {
      await bench().add({ pushOrigin: a });
      await bench().add({ pushOrigin: b });
      const message = await startMessage(bench());
      const { store } = bench();
      const { delivery } = store;
      await openBreaker(a);
      await openBreaker(b);
      await delivery.planPart(message, { keys: 1, dueAt: () => 1_000 }, 1_000);
      // What is planned is held, but there is more to plan.
      expect(await delivery.pauseHeld()).toEqual([]);
      await planOn(bench(), message.id, { keys: 5, dueAt: () => 1_000 });
      await store.breakers.close(at(b));
      expect(await delivery.pauseHeld()).toEqual([]);
      await openBreaker(b);
      expect(await delivery.pauseHeld()).toEqual([message.id]);
      expect(await delivery.pauseHeld()).toEqual([]);
      expect(await stateOf(message.id)).toBe("paused");
      expect(await delivery.resumeFreed()).toEqual([]);
      await store.breakers.close(at(a));
      expect(await delivery.resumeFreed()).toEqual([message.id]);
      expect(await delivery.resumeFreed()).toEqual([]);
      expect(await stateOf(message.id)).toBe("sending");

      // The free one is done: what is left is held again.
      const batch = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, batch, { walked: [accepted(1)] }, 1_000);
      expect(await delivery.pauseHeld()).toEqual([message.id]);
      // A probe works on it though it is paused.
      const probed = await mustLeaseHeld(store, at(b), 5_000);
      await writePage(store, probed, { walked: [accepted(2)] }, 5_000);
      expect(await delivery.resumeFreed()).toEqual([]);
      expect(await delivery.finishMessages(5_000)).toEqual([message.id]);
      expect(await stateOf(message.id)).toBe("done");
    });

    test("pauses, goes on and ends whatever another message has open", async () => {
      const [here, there] = [
        await bench().add({ pushOrigin: a }),
        await bench().add({ pushOrigin: b }),
      ];
      const { store } = bench();
      const held = await planMessage(bench(), { target: { kind: "token", token: here } });
      const free = await planMessage(bench(), { target: { kind: "token", token: there } });
      await openBreaker(a);
      expect(await store.delivery.pauseHeld()).toEqual([held.id]);
      expect(await store.delivery.resumeFreed()).toEqual([]);
      const batch = await mustLease(store, 1_000, { messageId: free.id });
      await writePage(store, batch, { walked: [accepted(2)] }, 1_000);
      expect(await store.delivery.finishMessages(2_000)).toEqual([free.id]);
    });

    test("is not held by a breaker of another key, or of another push service", async () => {
      const vapidKeyId = await bench().addVapidKey("key-2");
      await bench().add({ pushOrigin: a, vapidKeyId });
      const { id } = await planMessage(bench());
      const { delivery } = bench().store;
      await openBreaker(a);
      expect(await delivery.pauseHeld()).toEqual([]);
      const other = { reason: "throttled", detail: "", openedAtMs: 1, probeAtMs: 5_000 } as const;
      await bench().store.breakers.open({ ...other, pushOrigin: b, vapidKeyId });
      expect(await delivery.pauseHeld()).toEqual([]);
      await bench().store.breakers.open({ ...other, pushOrigin: a, vapidKeyId });
      expect(await delivery.pauseHeld()).toEqual([id]);
    });

    test("one that is done, cancelled or has nothing open does not pause", async () => {
      await bench().add({ pushOrigin: a });
      const { store, projectId } = bench();
      await openBreaker(a);
      const cancelled = await planMessage(bench());
      await store.messages.cancel(projectId, cancelled.id, 1_000);
      expect(await store.delivery.pauseHeld()).toEqual([]);
      const message = await planMessage(bench());
      const probed = await mustLeaseHeld(store, at(a), 5_000);
      await writePage(store, probed, { walked: [accepted(1)] }, 5_000);
      expect(await store.delivery.pauseHeld()).toEqual([]);
      expect(await store.delivery.finishMessages(5_000)).toEqual([message.id]);
    });
  });

  test("the queue: open batches, retries, and since when one waits", async () => {
    const { store } = bench();
    expect(await store.delivery.queue(9_000)).toEqual({
      openBatches: 0,
      retries: 0,
      oldestDueMs: null,
    });
    for (const pushOrigin of [a, a, b]) await bench().add({ pushOrigin });
    await planMessage(bench(), { scheduledAtMs: 1_000 }, { keys: 2 });
    await openBreaker(b);
    expect(await store.delivery.queue(999)).toMatchObject({ openBatches: 2, oldestDueMs: null });
    expect(await store.delivery.queue(2_000)).toMatchObject({
      openBatches: 2,
      oldestDueMs: 1_000,
    });
    const first = await mustLease(store, 2_000, { pushOrigin: a });
    const walked = [retry(1, 4_000), retry(2, 3_000)];
    await writePage(store, first, { walked }, 2_000);
    const held = await mustLeaseHeld(store, at(b), 6_000);
    // Whoever works on it, and whenever what waits is tried again: it is not done.
    expect(await store.delivery.queue(2_500)).toEqual({
      openBatches: 2,
      retries: 2,
      oldestDueMs: 1_000,
    });
    await writePage(store, held, { walked: [accepted(3)] }, 6_000);
    const rest = await mustLease(store, 6_000, { pushOrigin: a });
    expect(await store.delivery.queue(6_000)).toMatchObject({ openBatches: 1, oldestDueMs: 1_000 });
    const retried = [2, 1].map((id) => ({ attempts: 1, delivered: accepted(id) }));
    await writePage(store, rest, { retried }, 6_000);
    expect(await store.delivery.queue(6_000)).toMatchObject({ openBatches: 0, oldestDueMs: null });
  });
}
