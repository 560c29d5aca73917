import { describe, expect, test } from "vitest";
import type { Split } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { acceptedAt, leaseAll, none, planMessage, retry, writePage } from "./delivering.ts";
import { movingOn } from "./moving.ts";
import { east, north, split, splittingOn, west } from "./splitting.ts";

/** A page up to 4 of which all at `east` was accepted; the west goes on alone. */
const eastAccepted = (over: Partial<Split> = {}) => ({
  to: 4,
  walked: [acceptedAt(east, 1), acceptedAt(east, 3)],
  splits: [split(west, over)],
});

/** Browsers that get another host of a vendor while a page of both hosts is under way, which then part. */
export function splitMoveContract(bench: () => ContractBench): void {
  const { move, idsOf, dueOf, progressOf, deliverAll } = movingOn(bench);
  const { planned, first, withWestApart } = splittingOn(bench);

  describe("splits of a checkpoint, while one of the page gets another host of the vendor", () => {
    test("one that was served is not met again where it is now", async () => {
      const message = await planned();
      const { store } = bench();
      const batch = await first();
      await move(1, { pushOrigin: west });
      const page = eastAccepted();
      const written = await writePage(store, batch, page, 2_000);
      const rest = written?.splits[0] ?? null;
      expect(rest === null ? [] : await idsOf(rest)).toEqual([2, 4, 6]);
      expect(await deliverAll(2_000)).toEqual([
        `2 at ${west}`,
        `4 at ${west}`,
        `5 at ${east}`,
        `6 at ${west}`,
      ]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, accepted: 6 } });
    });

    test("one that was left for later has its turn where it is now", async () => {
      const message = await planned();
      const { store } = bench();
      const batch = await first();
      await move(2, { pushOrigin: east });
      const page = eastAccepted();
      await writePage(store, batch, page, 2_000);
      expect(await deliverAll(2_000)).toEqual([
        `2 at ${east}`,
        `4 at ${west}`,
        `5 at ${east}`,
        `6 at ${west}`,
      ]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, accepted: 6 } });
    });

    test("one that was left for later, to a slow one whose page has begun: it has its turn there", async () => {
      await bench().prove(east, west, north);
      for (const pushOrigin of [east, west, north, west]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const batch = await first();
      await move(3, { pushOrigin: west });
      const splits = [
        split(west, { leaseUntilMs: 9_000, underWay: [2, 4] }),
        split(north, { cursor: 0 }),
      ];
      const written = await writePage(
        store,
        batch,
        { walked: [acceptedAt(east, 1)], splits },
        2_000,
      );
      const apart = written?.splits[0] ?? null;
      if (apart === null) throw new Error("nothing goes on");
      const page = { walked: [acceptedAt(west, 2), acceptedAt(west, 4)] };
      await writePage(store, apart, page, 3_000);
      expect(await deliverAll(3_000)).toEqual([`3 at ${west}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 4, accepted: 4 } });
    });

    test("one that had its turn where it is now, before the slow one's answer: that does not count", async () => {
      const message = await planned();
      const { store } = bench();
      const batch = await first();
      await move(2, { pushOrigin: east });
      const page = eastAccepted({ leaseUntilMs: 9_000, underWay: [2, 4] });
      const written = await writePage(store, batch, page, 2_000);
      const apart = written?.splits[0] ?? null;
      if (apart === null) throw new Error("nothing goes on");
      expect(await deliverAll(2_000)).toEqual([`2 at ${east}`, `5 at ${east}`]);
      const walked = [{ ...retry(2, 5_000), pushOrigin: west }, acceptedAt(west, 4)];
      await writePage(store, apart, { to: 4, walked }, 3_000);
      expect(await deliverAll(5_000)).toEqual([`6 at ${west}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, accepted: 6 } });
    });

    test("and has its turn where the walk is still to come: that does not meet it", async () => {
      await planned();
      const { store } = bench();
      const batch = await first();
      await move(1, { pushOrigin: west });
      // Only 2 is under way there, and the server is killed.
      const splits = [split(west, { leaseUntilMs: 9_000, underWay: [2] })];
      await writePage(store, batch, { to: 2, walked: [], splits }, 2_000);
      await store.delivery.releaseAll();
      let had = 0;
      for await (const each of leaseAll(store, 2_000)) {
        if ((await dueOf(each, 2_000)).length === 0) continue;
        had += 1;
        const retried = [{ attempts: 0, delivered: acceptedAt(west, 1) }];
        await writePage(store, each, { to: each.cursor, retried }, 2_000);
      }
      expect(had).toBe(1);
      await store.delivery.releaseAll();
      expect(await deliverAll(2_000)).toEqual([
        `2 at ${west}`,
        `3 at ${east}`,
        `4 at ${west}`,
        `5 at ${east}`,
        `6 at ${west}`,
      ]);
    });

    test("after the page, before the slow one's answer: that does not count", async () => {
      const { message, apart } = await withWestApart({ leaseUntilMs: 9_000, underWay: [2, 4] });
      const { store } = bench();
      if (apart === null) throw new Error("nothing goes on");
      await move(2, { pushOrigin: east });
      await move(1, { pushOrigin: west });
      const page = { to: 4, walked: [acceptedAt(west, 2), acceptedAt(west, 4)] };
      expect(await writePage(store, apart, page, 3_000)).toMatchObject({
        counts: { ...none, accepted: 1 },
      });
      expect(await deliverAll(3_000)).toEqual([`2 at ${east}`, `5 at ${east}`, `6 at ${west}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, accepted: 6 } });
    });
  });
}
