import { describe, expect, test } from "vitest";
import type { Destination } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { accepted, leaseNext, mustLease, planMessage, retry, writePage } from "./delivering.ts";

const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"] as const;

export function leaseContract(bench: () => ContractBench): void {
  const at = (pushOrigin: string): Destination => ({ pushOrigin, vapidKeyId: bench().vapidKeyId });
  const readyAt = async (nowMs: number, { owner = "owner", limit = 10 } = {}) =>
    (await bench().store.delivery.readyDestinations(owner, nowMs, limit)).map(
      ({ pushOrigin }) => pushOrigin,
    );
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
      const [id = ""] = await delivery.readyMessages(at(a), "owner", 1_000);
      expect(await delivery.readyMessages(at(a), "owner", 999)).toEqual([]);
      expect(await delivery.readyMessages(at(b), "owner", 1_000)).toEqual([]);
      const lease = { owner: "owner", untilMs: 2_000_000 };
      expect(await delivery.lease(at(a), id, lease, 999)).toBeNull();
      expect(await delivery.lease(at(a), id, lease, 701_000)).toBeNull();
      expect(await delivery.lease(at(b), id, lease, 1_000)).toBeNull();
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
        cursor: 0,
        lastId: 1,
        dueAtMs: 1_000,
      });
      const lease = { owner: "two", untilMs: 90_000 };
      expect(await another.delivery.lease(at(a), id, lease, 1_000)).toBeNull();
      for (const owner of ["one", "two"]) {
        expect(await readyAt(1_000, { owner })).toEqual([]);
        expect(await another.delivery.readyMessages(at(a), owner, 1_000)).toEqual([]);
        expect(await leaseNext(another, 1_000, { owner })).toBeNull();
      }
    });

    test("whose lease has ended loses it to another, and never leases it again themselves", async () => {
      await addAt(a);
      const { id } = await planMessage(bench());
      const { delivery } = bench().store;
      const batch = await mustLease(bench().store, 1_000, { owner: "one" });
      expect(await readyAt(60_999, { owner: "two" })).toEqual([]);
      expect(await readyAt(61_000, { owner: "one" })).toEqual([]);
      expect(await delivery.lease(at(a), id, { owner: "one", untilMs: 1 }, 99_000)).toBeNull();
      expect(await delivery.extendLease(batch.id, { owner: "one", untilMs: 70_000 })).toBe(true);
      expect(await readyAt(61_000, { owner: "two" })).toEqual([]);

      expect(await mustLease(bench().store, 70_000, { owner: "two" })).toEqual(batch);
      expect(await delivery.extendLease(batch.id, { owner: "one", untilMs: 1 })).toBe(false);
      expect(await delivery.release(batch.id, "one")).toBe(false);
      expect(
        await writePage(bench().store, batch, { owner: "one", walked: [accepted(1)] }, 70_000),
      ).toBeNull();
      expect(
        await writePage(bench().store, batch, { owner: "two", walked: [accepted(1)] }, 70_000),
      ).toMatchObject({ done: true });
    });

    test("a batch that is given back is ready as it was", async () => {
      await addAt(a);
      await planMessage(bench());
      const { delivery } = bench().store;
      const batch = await mustLease(bench().store, 1_000);
      expect(await delivery.release(batch.id, "owner")).toBe(true);
      expect(await delivery.release(batch.id, "owner")).toBe(false);
      expect(await delivery.extendLease(batch.id, { owner: "owner", untilMs: 9_000 })).toBe(false);
      expect(await mustLease(bench().store, 1_000, { owner: "two" })).toEqual(batch);
    });

    test("all leases end at once, for who knows that nobody works", async () => {
      await addAt(a, b);
      await planMessage(bench());
      for (const owner of ["one", "one"]) await mustLease(bench().store, 1_000, { owner });
      await bench().reopen();
      expect(await readyAt(1_000, { owner: "one" })).toEqual([]);
      await bench().store.delivery.releaseAll();
      expect((await readyAt(1_000, { owner: "one" })).toSorted()).toEqual([a, b]);
    });

    test("of the destinations those come first that were worked on longest ago", async () => {
      await addAt(a, b, c, a, b, c);
      await planMessage(bench(), {}, { keys: 3 });
      const work = async (pushOrigin: string, fromMs: number, toMs: number) =>
        writePage(bench().store, await mustLease(bench().store, fromMs, { pushOrigin }), {}, toMs);
      await work(b, 2_000, 2_000);
      expect(await readyAt(9_000)).toEqual([a, c, b]);
      // A page counts from its end on.
      await work(a, 2_100, 3_000);
      await work(c, 2_200, 2_500);
      // Each has a batch that nobody has worked on: what counts is the destination.
      expect(await readyAt(9_000)).toEqual([b, c, a]);
      expect(await readyAt(9_000, { limit: 2 })).toEqual([b, c]);
      await mustLease(bench().store, 4_000, { pushOrigin: b });
      await bench().store.delivery.releaseAll();
      expect(await readyAt(9_000)).toEqual([c, a, b]);
    });

    test("of the messages, too, at each destination for itself", async () => {
      await addAt(a, b);
      const ids: string[] = [];
      for (let count = 0; count < 3; count += 1) ids.push((await planMessage(bench())).id);
      const [one = "", two = "", three = ""] = ids;
      const { delivery } = bench().store;
      const readyMessages = (pushOrigin: string) =>
        delivery.readyMessages(at(pushOrigin), "owner", 9_000);
      const touch = async (messageId: string, pushOrigin: string, nowMs: number) => {
        const batch = await mustLease(bench().store, nowMs, { messageId, pushOrigin });
        await delivery.release(batch.id, "owner");
      };
      expect((await readyMessages(a)).toSorted()).toEqual([one, two, three].toSorted());
      await touch(three, a, 2_000);
      await touch(one, a, 3_000);
      await touch(two, a, 4_000);
      await touch(two, b, 1_500);
      expect(await readyMessages(a)).toEqual([three, one, two]);
      expect((await readyMessages(b)).at(-1)).toBe(two);
    });

    test("first attempts come before retries, and a retry when it is due", async () => {
      await addAt(a, a);
      await planMessage(bench(), {}, { keys: 1 });
      const first = await mustLease(bench().store, 1_000);
      expect(await writePage(bench().store, first, { walked: [retry(1, 5_000)] }, 1_000)).toEqual({
        counts: { accepted: 0, gone: 0, retry: 1, rejected: 0, failed: 0 },
        done: false,
      });
      const second = await mustLease(bench().store, 6_000);
      expect(second.cursor).toBe(1);
      await writePage(bench().store, second, { walked: [accepted(2)] }, 6_000);
      expect(await readyAt(4_999)).toEqual([]);
      expect(await mustLease(bench().store, 5_000)).toMatchObject({ id: first.id, cursor: 1 });
    });

    test("a destination behind an open breaker is left alone until it may be probed", async () => {
      const { store } = bench();
      const another = await bench().addVapidKey("key-2");
      await addAt(a, b);
      await bench().add({ pushOrigin: a, vapidKeyId: another });
      await planMessage(bench());
      await store.breakers.open({
        ...at(a),
        reason: "unavailable",
        detail: "503",
        openedAtMs: 1_000,
        probeAtMs: 5_000,
      });
      const found = (nowMs: number) => store.delivery.readyDestinations("owner", nowMs, 10);
      const otherKey = { pushOrigin: a, vapidKeyId: another, probe: false };
      const neighbour = { ...at(b), probe: false };
      expect(await found(4_999)).toEqual([otherKey, neighbour]);
      expect(await found(5_000)).toEqual([{ ...at(a), probe: true }, otherKey, neighbour]);
      await store.breakers.close(at(a));
      expect(await found(4_999)).toEqual([{ ...at(a), probe: false }, otherKey, neighbour]);
    });
  });
}
