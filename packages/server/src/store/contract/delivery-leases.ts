import { describe, expect, test } from "vitest";
import type { Destination, PushOriginKey } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  leaseNext,
  leaseOf,
  mustLease,
  planMessage,
  retry,
  writePage,
} from "./delivering.ts";

const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"] as const;

export function leaseContract(bench: () => ContractBench): void {
  const at = (pushService: string, lane = "unproven"): Destination => ({
    pushService,
    vapidKeyId: bench().vapidKeyId,
    lane,
  });
  const keyAt = (pushOrigin: string): PushOriginKey => ({
    pushOrigin,
    vapidKeyId: bench().vapidKeyId,
  });
  const readyAt = async (nowMs: number) =>
    (await bench().store.delivery.readyDestinations(nowMs)).map(({ pushService }) => pushService);
  async function addAt(...origins: string[]) {
    for (const pushOrigin of origins) await bench().add({ pushOrigin });
  }

  describe("leases", () => {
    test("a batch is ready from its due time until nothing of it is sent any more", async () => {
      await addAt(a);
      await planMessage(bench(), { scheduledAtMs: 1_000, ttlSeconds: 700 });
      for (const [nowMs, ready] of [
        [999, []],
        [1_000, [a]],
        [700_999, [a]],
        [701_000, []],
      ] as const) {
        expect(await readyAt(nowMs)).toEqual(ready);
      }
      const { delivery } = bench().store;
      const [id = ""] = await delivery.readyMessages(at(a), 1_000);
      expect(await delivery.readyMessages(at(a), 999)).toEqual([]);
      expect(await delivery.readyMessages(at(b), 1_000)).toEqual([]);
      expect(await delivery.readyMessages(at(a, "shared"), 1_000)).toEqual([]);
      const lease = { owner: "owner", untilMs: 2_000_000 };
      expect(await delivery.lease(at(a), id, lease, 999)).toBeNull();
      expect(await delivery.lease(at(a), id, lease, 701_000)).toBeNull();
      expect(await delivery.lease(at(b), id, lease, 1_000)).toBeNull();
      expect(await delivery.lease(at(a, "shared"), id, lease, 1_000)).toBeNull();
    });

    test("first attempts of a short message are made for ten minutes", async () => {
      await addAt(a);
      await planMessage(bench(), { scheduledAtMs: 1_000, ttlSeconds: 0 });
      expect(await readyAt(600_999)).toEqual([a]);
      expect(await readyAt(601_000)).toEqual([]);
    });

    test("a batch is leased to one, also where two ask at the same moment", async () => {
      await addAt(a);
      const { id } = await planMessage(bench());
      const another = await bench().openAnother();
      const batch = await mustLease(bench().store, 1_000, { owner: "one" });
      expect(batch).toEqual({
        id: expect.any(Number),
        messageId: id,
        projectId: bench().projectId,
        ...at(a),
        onlyOrigins: [a],
        exceptOrigins: [],
        epoch: 1,
        cursor: 0,
        lastId: 1,
        dueAtMs: 1_000,
      });
      const lease = { owner: "two", untilMs: 90_000 };
      expect(await another.delivery.lease(at(a), id, lease, 1_000)).toBeNull();
      expect(await readyAt(1_000)).toEqual([]);
      expect(await another.delivery.readyMessages(at(a), 1_000)).toEqual([]);
      for (const owner of ["one", "two"]) {
        expect(await leaseNext(another, 1_000, { owner })).toBeNull();
      }
    });

    test("whose lease has ended loses it to another, and never leases it again themselves", async () => {
      await addAt(a);
      const { id } = await planMessage(bench());
      const { delivery } = bench().store;
      const batch = await mustLease(bench().store, 1_000, { owner: "one" });
      expect(await leaseNext(bench().store, 60_999, { owner: "two" })).toBeNull();
      expect(await leaseNext(bench().store, 61_000, { owner: "one" })).toBeNull();
      expect(await delivery.lease(at(a), id, { owner: "one", untilMs: 1 }, 99_000)).toBeNull();
      expect(await delivery.extendLease(leaseOf(batch, "one"), 70_000)).toBe(true);
      expect(await leaseNext(bench().store, 61_000, { owner: "two" })).toBeNull();

      const rescued = await mustLease(bench().store, 70_000, { owner: "two" });
      expect(rescued).toEqual({ ...batch, epoch: 2 });
      expect(await delivery.extendLease(leaseOf(batch, "one"), 1)).toBe(false);
      expect(await delivery.release(leaseOf(batch, "one"))).toBe(false);
      expect(
        await writePage(bench().store, batch, { owner: "one", walked: [accepted(1)] }, 70_000),
      ).toBeNull();
      expect(
        await writePage(bench().store, rescued, { owner: "two", walked: [accepted(1)] }, 70_000),
      ).toMatchObject({ done: true });
    });

    test("a batch that is given back is ready as it was", async () => {
      await addAt(a);
      await planMessage(bench());
      const { delivery } = bench().store;
      const batch = await mustLease(bench().store, 1_000);
      expect(await delivery.release(leaseOf(batch))).toBe(true);
      expect(await delivery.release(leaseOf(batch))).toBe(false);
      expect(await delivery.extendLease(leaseOf(batch), 9_000)).toBe(false);
      const again = await mustLease(bench().store, 1_000, { owner: "two" });
      expect(again).toEqual({ ...batch, epoch: 2 });
    });

    test("all leases end at once, for who knows that nobody works", async () => {
      await addAt(a, b);
      await planMessage(bench());
      for (const owner of ["one", "one"]) await mustLease(bench().store, 1_000, { owner });
      await bench().reopen();
      expect(await readyAt(1_000)).toEqual([]);
      await bench().store.delivery.releaseAll();
      expect((await readyAt(1_000)).toSorted()).toEqual([a, b]);
    });

    test("a late owner writes nothing under an earlier lease of its own", async () => {
      await addAt(a, a);
      const { id } = await planMessage(bench());
      const { store } = bench();
      const early = await mustLease(store, 1_000);
      await store.delivery.releaseAll();
      const late = await mustLease(store, 1_000);
      expect(late).toEqual({ ...early, epoch: early.epoch + 1 });
      expect(await store.delivery.extendLease(leaseOf(early), 99_000)).toBe(false);
      expect(await store.delivery.release(leaseOf(early))).toBe(false);
      expect(await writePage(store, early, { walked: [accepted(1)] }, 2_000)).toBeNull();
      expect(await store.delivery.splitOff(late, "owner")).toEqual(late);
      // Nothing of it was written, and the late lease is as it was: until 61,000.
      expect((await findMessage(bench(), id)).counts).toMatchObject({ accepted: 0 });
      expect(await leaseNext(store, 60_999, { owner: "two" })).toBeNull();
      expect(await writePage(store, late, { to: 1, walked: [accepted(1)] }, 2_000)).not.toBeNull();
      expect(await mustLease(store, 2_000)).toMatchObject({ cursor: 1, epoch: late.epoch + 1 });
    });

    test("of the messages at a destination those come first that were ready first", async () => {
      await addAt(a, b);
      const ids: string[] = [];
      for (const scheduledAtMs of [3_000, 1_000, 2_000]) {
        ids.push((await planMessage(bench(), { scheduledAtMs, ttlSeconds: 3_600 })).id);
      }
      const [one = "", two = "", three = ""] = ids;
      const { delivery } = bench().store;
      expect(await delivery.readyMessages(at(a), 9_000)).toEqual([two, three, one]);
      const batch = await mustLease(bench().store, 4_000, { messageId: two, pushOrigin: a });
      expect(await delivery.readyMessages(at(a), 9_000)).toEqual([three, one]);
      await writePage(bench().store, batch, { walked: [retry(1, 8_000)] }, 4_000);
      expect(await delivery.readyMessages(at(a), 7_999)).toEqual([three, one]);
      expect(await delivery.readyMessages(at(a), 8_000)).toEqual([three, one, two]);
      expect(await delivery.readyMessages(at(b), 9_000)).toEqual([two, three, one]);
    });

    test("first attempts come before retries, and a retry when it is due", async () => {
      await addAt(a, a);
      await planMessage(bench(), {}, { keys: 1 });
      const first = await mustLease(bench().store, 1_000);
      expect(
        await writePage(bench().store, first, { walked: [retry(1, 5_000)] }, 1_000),
      ).toMatchObject({
        counts: { accepted: 0, gone: 0, retry: 1, rejected: 0, failed: 0 },
        done: false,
      });
      const second = await mustLease(bench().store, 6_000);
      expect(second.cursor).toBe(1);
      await writePage(bench().store, second, { walked: [accepted(2)] }, 6_000);
      expect(await readyAt(4_999)).toEqual([]);
      expect(await mustLease(bench().store, 5_000)).toMatchObject({ id: first.id, cursor: 1 });
    });

    test("a push origin behind an open breaker is left alone until it may be probed", async () => {
      const { store } = bench();
      const { delivery } = store;
      const another = await bench().addVapidKey("key-2");
      await addAt(a, b);
      await bench().add({ pushOrigin: a, vapidKeyId: another });
      const { id } = await planMessage(bench());
      const open = (probeAtMs: number, pushOrigin: string) =>
        store.breakers.open({
          ...keyAt(pushOrigin),
          reason: "unavailable",
          detail: "503",
          openedAtMs: 1_000,
          probeAtMs,
        });
      await open(5_000, a);
      const otherKey = { ...at(a), vapidKeyId: another };
      expect(await delivery.readyDestinations(5_000)).toEqual([otherKey, at(b)]);
      expect(await delivery.readyMessages(at(a), 5_000)).toEqual([]);
      const lease = { owner: "owner", untilMs: 99_000 };
      expect(await delivery.lease(at(a), id, lease, 5_000)).toBeNull();
      expect(await delivery.dueProbes(4_999, 10)).toEqual([]);
      expect(await delivery.dueProbes(5_000, 10)).toEqual([{ ...keyAt(a), proven: false }]);
      // One that has been due for longer comes first; one without anything to send is not probed.
      await open(4_000, b);
      await open(3_000, c);
      expect((await delivery.dueProbes(5_000, 10)).map(({ pushOrigin }) => pushOrigin)).toEqual([
        b,
        a,
      ]);
      expect(await delivery.dueProbes(5_000, 1)).toMatchObject([keyAt(b)]);

      expect(await delivery.leaseHeld(keyAt(c), lease, 5_000)).toBeNull();
      const batch = await delivery.leaseHeld(keyAt(a), lease, 5_000);
      expect(batch).toMatchObject({
        messageId: id,
        onlyOrigins: [a],
        vapidKeyId: keyAt(a).vapidKeyId,
      });
      expect(await delivery.leaseHeld(keyAt(a), lease, 5_000)).toBeNull();
      expect((await delivery.dueProbes(5_000, 10)).map(({ pushOrigin }) => pushOrigin)).toEqual([
        b,
      ]);
      if (batch === null) throw new Error("nothing was leased");
      await writePage(store, batch, { to: 0, walked: [] }, 5_000);
      await store.breakers.close(keyAt(a));
      expect(await delivery.readyDestinations(5_000)).toEqual([at(a), otherKey]);
      expect(await delivery.dueProbes(5_000, 10)).toMatchObject([keyAt(b)]);
    });

    test("probes tell whether the push origin has ever accepted anything", async () => {
      await bench().prove(a);
      await addAt(a);
      const { store } = bench();
      const breaker = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 2 } as const;
      await store.breakers.open({ ...keyAt(a), ...breaker });
      await planMessage(bench());
      expect(await store.delivery.dueProbes(1_000, 1)).toEqual([{ ...keyAt(a), proven: true }]);
    });
  });
}
