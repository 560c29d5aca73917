import { describe, expect, test } from "vitest";
import type { Breaker } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  gone,
  mustLease,
  mustLeaseHeld,
  none,
  planMessage,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";

const east = "https://east.example";
const west = "https://west.example";

/** What is told of a message that is being sent. */
export function progressContract(bench: () => ContractBench): void {
  /** Five registrations at `east`, two at `west`, and a message that is planned for them in parts of two. */
  async function planned() {
    for (const pushOrigin of [east, west, east, east, east, west, east]) {
      await bench().add({ pushOrigin });
    }
    return planMessage(bench(), { ttlSeconds: 3_600 }, { keys: 2 });
  }

  const breaker = (over: Partial<Breaker> = {}): Omit<Breaker, "probes"> => ({
    pushOrigin: east,
    vapidKeyId: bench().vapidKeyId,
    reason: "unavailable",
    detail: "503",
    openedAtMs: 1_000,
    probeAtMs: 2_000,
    ...over,
  });

  describe("progress", () => {
    test("adds up the batches of each push service, and those of no other message", async () => {
      const { store } = bench();
      const { id } = await planned();
      await planMessage(bench());
      expect(await store.messages.progress(id)).toEqual([
        { pushService: east, planned: 5, counts: none },
        { pushService: west, planned: 2, counts: none },
      ]);
      const batch = await mustLease(store, 1_000, { messageId: id, pushOrigin: east });
      await writePage(store, batch, { walked: [accepted(1)] }, 2_000);
      const next = await mustLease(store, 2_000, { messageId: id, pushOrigin: east });
      const walked = [gone(3), retry(4, 5_000)];
      await writePage(store, next, { walked }, 2_000);
      const other = await mustLease(store, 2_000, { messageId: id, pushOrigin: west });
      await writePage(store, other, { walked: [refused(2)] }, 2_000);
      await bench().reopen();
      expect(await bench().store.messages.progress(id)).toEqual([
        { pushService: east, planned: 5, counts: { ...none, accepted: 1, gone: 1, retry: 1 } },
        { pushService: west, planned: 2, counts: { ...none, rejected: 1 } },
      ]);
    });

    test("of a message that nothing is planned of is empty", async () => {
      const { id } = await startMessage(bench());
      expect(await bench().store.messages.progress(id)).toEqual([]);
      expect(await bench().store.messages.reasons(id)).toEqual([]);
      expect(await bench().store.messages.heldBy(id)).toEqual([]);
    });

    test("gives reasons by push origin, each with how many and what was said to one", async () => {
      const { store } = bench();
      for (const pushOrigin of [east, east, east, east, east, west])
        await bench().add({ pushOrigin });
      const { id } = await planMessage(bench(), { ttlSeconds: 3_600 });
      const first = await mustLease(store, 1_000, { messageId: id, pushOrigin: east });
      const walked = [
        refused(1),
        { ...refused(2), detail: "4,097 bytes" },
        retry(3, 5_000),
        refused(4, "failed", "too-large"),
        gone(5),
      ];
      await writePage(store, first, { walked }, 2_000);
      const second = await mustLease(store, 2_000, { messageId: id, pushOrigin: west });
      await writePage(store, second, { walked: [refused(6)] }, 2_000);
      const tooLarge = { reason: "too-large", detail: "", count: 1 };
      expect(await store.messages.reasons(id)).toEqual([
        { pushOrigin: east, kind: "rejected", ...tooLarge, detail: "4,097 bytes", count: 2 },
        { pushOrigin: east, kind: "failed", ...tooLarge },
        { pushOrigin: east, kind: "retry", reason: "busy", detail: "429", count: 1 },
        { pushOrigin: west, kind: "rejected", ...tooLarge },
      ]);
    });

    test("names the open breakers that hold it, until nothing of it waits there", async () => {
      const { store } = bench();
      await bench().add({ pushOrigin: east });
      await bench().add({ pushOrigin: west });
      const { id } = await planMessage(bench());
      expect(await store.messages.heldBy(id)).toEqual([]);
      await store.breakers.open(breaker());
      // Another message is held there.
      const elsewhere = "https://elsewhere.example";
      const token = await bench().add({ pushOrigin: elsewhere });
      await planMessage(bench(), { target: { kind: "token", token } });
      await store.breakers.open(breaker({ pushOrigin: elsewhere }));
      // So is one with another key here.
      const vapidKeyId = await bench().addVapidKey("key-2");
      await store.breakers.open(breaker({ vapidKeyId }));
      expect(await store.messages.heldBy(id)).toEqual([{ ...breaker(), probes: 0 }]);
      const at = { pushOrigin: east, vapidKeyId: bench().vapidKeyId };
      const batch = await mustLeaseHeld(store, at, 3_000);
      await writePage(store, batch, { walked: [accepted(1)] }, 3_000);
      expect(await store.messages.heldBy(id)).toEqual([]);
      await store.breakers.open(breaker({ pushOrigin: west }));
      expect(await store.messages.heldBy(id)).toMatchObject([{ pushOrigin: west }]);
      await store.messages.cancel(bench().projectId, id, 4_000);
      expect(await store.messages.heldBy(id)).toEqual([]);
    });
  });

  const told = () => bench().store.delivery.notAccepting();
  describe("destinations that accept nothing", () => {
    test("are told by reason, with who was tried in vain and since when", async () => {
      const { store } = bench();
      expect(await told()).toEqual([]);
      const { id } = await planned();
      // Nobody was tried yet.
      expect(await told()).toEqual([]);
      const first = await mustLease(store, 1_000, { messageId: id, pushOrigin: east });
      await writePage(store, first, { walked: [retry(1, 5_000)] }, 2_000);
      const second = await mustLease(store, 2_000, { messageId: id, pushOrigin: east });
      const walked = [retry(3, 5_000), { ...retry(4, 5_000), reason: "tls-failed", detail: "why" }];
      await writePage(store, second, { walked }, 2_000);
      const common = { pushOrigin: east, vapidKeyId: bench().vapidKeyId, sinceMs: 1_000 };
      expect(await told()).toEqual([
        { ...common, reason: "busy", detail: "429", registrations: 2 },
        { ...common, reason: "tls-failed", detail: "why", registrations: 1 },
      ]);
    });

    test("but not where anything was accepted since, be it of another message", async () => {
      const { store } = bench();
      await bench().add({ pushOrigin: east });
      await bench().add({ pushOrigin: west });
      const message = await planMessage(bench(), { ttlSeconds: 3_600 });
      for (const [pushOrigin, id] of [
        [east, 1],
        [west, 2],
      ] as const) {
        const batch = await mustLease(store, 1_000, { messageId: message.id, pushOrigin });
        await writePage(store, batch, { walked: [retry(id, 5_000)] }, 2_000);
      }
      expect(await told()).toHaveLength(2);
      const target = { kind: "token", token: await bench().add({ pushOrigin: west }) } as const;
      const other = await planMessage(bench(), { target });
      const batch = await mustLease(store, 3_000, { messageId: other.id, pushOrigin: west });
      await writePage(store, batch, { walked: [accepted(3)] }, 3_000);
      expect(await told()).toMatchObject([{ pushOrigin: east }]);
    });

    test("what was accepted before does not count, nor who was never tried, nor what has ended", async () => {
      const { store } = bench();
      for (let count = 0; count < 2; count += 1) await bench().add({ pushOrigin: east });
      const early = await planMessage(bench(), { ttlSeconds: 3_600 });
      const page = await mustLease(store, 1_000, { messageId: early.id });
      await writePage(store, page, { walked: [accepted(1), retry(2, 5_000)] }, 1_500);
      // One of two: it may be that one.
      expect(await told()).toEqual([]);
      const late = await planMessage(
        bench(),
        { ttlSeconds: 3_600, scheduledAtMs: 4_000 },
        { dueAt: () => 4_000 },
      );
      const next = await mustLease(store, 4_000, { messageId: late.id });
      const moved = { ...retry(2, 5_000), reason: "moved" };
      await writePage(store, next, { walked: [retry(1, 5_000), moved] }, 4_500);
      // The early one is tried again in vain meanwhile.
      const again = await mustLease(store, 5_000, { messageId: early.id });
      const retried = [{ attempts: 1, delivered: retry(2, 9_000) }];
      await writePage(store, again, { retried }, 6_000);
      expect(await told()).toMatchObject([{ registrations: 1, sinceMs: 4_000 }]);
      await store.messages.cancel(bench().projectId, late.id, 7_000);
      expect(await told()).toEqual([]);
    });
  });
}
