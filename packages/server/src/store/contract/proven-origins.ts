import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import {
  acceptedAt,
  leaseAll,
  leaseNext,
  leaseOf,
  mustLease,
  mustLeaseHeld,
  planMessage,
  retry,
  writePage,
} from "./delivering.ts";
import { movingOn } from "./moving.ts";

const [east, west, north] = [
  "https://wns2-east.notify.windows.com",
  "https://wns2-west.notify.windows.com",
  "https://wns2-north.notify.windows.com",
] as const;
const mozilla = "https://updates.push.services.mozilla.com";

/** Whether anything was ever accepted at a push origin decides where it takes turns. */
export function provenContract(bench: () => ContractBench): void {
  const { idsOf, progressOf, deliverAll } = movingOn(bench);
  const at = (pushOrigin: string) => ({ pushOrigin, vapidKeyId: bench().vapidKeyId });
  const openBreaker = (pushOrigin: string) =>
    bench().store.breakers.open({
      ...at(pushOrigin),
      reason: "unavailable",
      detail: "503",
      openedAtMs: 1_000,
      probeAtMs: 2_000,
    });

  /** What each batch covers that is free, and who it has to send to. */
  async function planned(messageId: string) {
    const found = [];
    const { store } = bench();
    for await (const batch of leaseAll(store, 1_000, { messageId })) {
      const { pushService, lane, onlyOrigins, exceptOrigins } = batch;
      const ids = await idsOf(batch);
      found.push({ pushService, lane, only: onlyOrigins, except: exceptOrigins, ids });
    }
    return found.toSorted((one, other) => (one.ids[0] ?? 0) - (other.ids[0] ?? 0));
  }

  describe("planning by push service", () => {
    test("known push origins share a batch, the others another one", async () => {
      await bench().prove(east, mozilla);
      for (const pushOrigin of [east, west, mozilla, north, east, west]) {
        await bench().add({ pushOrigin });
      }
      const { id } = await planMessage(bench());
      expect(await planned(id)).toEqual([
        { pushService: "windows", lane: "shared", only: null, except: [north, west], ids: [1, 5] },
        {
          pushService: "windows",
          lane: "unproven",
          only: [north, west],
          except: [],
          ids: [2, 4, 6],
        },
        { pushService: "mozilla", lane: "shared", only: null, except: [], ids: [3] },
      ]);
      expect(await progressOf(id)).toEqual({ windows: { planned: 5 }, mozilla: { planned: 1 } });
    });

    test("one that a breaker holds has a batch of its own, known or not", async () => {
      await bench().prove(east, west);
      for (const pushOrigin of [east, west, north, east]) await bench().add({ pushOrigin });
      await openBreaker(west);
      await openBreaker(north);
      const { id } = await planMessage(bench());
      const probes = await bench().store.delivery.dueProbes(2_000, 9);
      expect(probes.map(({ pushOrigin }) => pushOrigin)).toEqual([west, north]);
      expect(await planned(id)).toEqual([
        {
          pushService: "windows",
          lane: "shared",
          only: null,
          except: [west, north].toSorted(),
          ids: [1, 4],
        },
      ]);
      const { store } = bench();
      const held = [
        await mustLeaseHeld(store, at(west), 2_000),
        await mustLeaseHeld(store, at(north), 2_000),
      ];
      expect(held).toMatchObject([
        { lane: west, onlyOrigins: [west] },
        { lane: "unproven", onlyOrigins: [north] },
      ]);
      expect(await Promise.all(held.map(idsOf))).toEqual([[2], [3]]);
    });

    test("a push origin is known under the key that it accepted something under", async () => {
      await bench().prove(east);
      const another = await bench().addVapidKey("key-2");
      await bench().add({ pushOrigin: east });
      await bench().add({ pushOrigin: east, vapidKeyId: another });
      const { id } = await planMessage(bench());
      expect(await planned(id)).toMatchObject([
        { lane: "shared", ids: [1] },
        { lane: "unproven", ids: [2] },
      ]);
    });
  });

  describe("a push origin that accepts something for the first time", () => {
    test("leaves the lane of the unproven with what it has left", async () => {
      for (const pushOrigin of [east, west, east, west]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const batch = await mustLease(store, 1_000);
      expect(batch.lane).toBe("unproven");
      const walked = [acceptedAt(east, 1), { ...retry(2, 1_500), pushOrigin: west }];
      await writePage(store, batch, { to: 2, walked }, 1_000);
      expect(await store.breakers.hasEverAccepted(at(east))).toBe(true);
      expect(await store.breakers.hasEverAccepted(at(west))).toBe(false);

      const rest = await mustLease(store, 1_000, { lane: "unproven" });
      expect(rest).toMatchObject({ id: batch.id, onlyOrigins: [west] });
      expect(await idsOf(rest)).toEqual([4]);
      const apart = await mustLease(store, 1_000, { lane: east });
      expect(await idsOf(apart)).toEqual([3]);
      for (const each of [rest, apart]) await store.delivery.release(leaseOf(each));
      expect(await deliverAll(2_000)).toEqual([`2 at ${west}`, `3 at ${east}`, `4 at ${west}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 4, accepted: 4 } });
    });

    test("takes other messages along, and is shared in those that are planned then", async () => {
      for (let count = 0; count < 2; count += 1) await bench().add({ pushOrigin: east });
      const [one, two] = [await planMessage(bench()), await planMessage(bench())];
      const { store } = bench();
      const batch = await mustLease(store, 1_000, { messageId: one.id });
      await writePage(store, batch, { to: 1, walked: [acceptedAt(east, 1)] }, 1_000);
      expect(await leaseNext(store, 1_000, { lane: "unproven" })).toBeNull();
      for (const { id } of [one, two]) {
        expect(await mustLease(store, 1_000, { messageId: id, lane: east })).not.toBeNull();
      }
      const three = await planMessage(bench());
      expect(await planned(three.id)).toMatchObject([{ lane: "shared", ids: [1, 2] }]);
    });
  });

  describe("hosts that accept nothing", () => {
    test("are given up by their name, until they accept something", async () => {
      await bench().add({ pushOrigin: east });
      const message = await planMessage(bench());
      const { store } = bench();
      expect(await store.delivery.hasGivenUp(east)).toBe(false);
      await store.delivery.giveUp(east, 5);
      await store.delivery.giveUp(east, 6);
      await bench().reopen();
      const { delivery } = bench().store;
      expect(await delivery.hasGivenUp(east)).toBe(true);
      expect(await delivery.hasGivenUp(west)).toBe(false);
      const batch = await mustLease(bench().store, 1_000, { messageId: message.id });
      await writePage(bench().store, batch, { walked: [acceptedAt(east, 1)] }, 1_000);
      expect(await delivery.hasGivenUp(east)).toBe(false);
    });

    test("do not count for when something was accepted last", async () => {
      const { store } = bench();
      expect(await store.delivery.lastAcceptedAt()).toBeNull();
      for (const pushOrigin of [east, mozilla]) await bench().add({ pushOrigin });
      await planMessage(bench());
      const pages = [
        [east, acceptedAt(east, 1)],
        [mozilla, { ...retry(2, 5_000), pushOrigin: mozilla }],
      ] as const;
      for (const [index, [pushOrigin, came]] of pages.entries()) {
        const batch = await mustLease(store, 1_000, { pushOrigin });
        await writePage(store, batch, { walked: [came] }, 2_000 + index);
      }
      expect(await store.delivery.lastAcceptedAt()).toBe(2_000);
    });
  });
}
