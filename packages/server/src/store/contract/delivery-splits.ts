import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import {
  acceptedAt,
  findMessage,
  leaseNext,
  leaseOf,
  mustLease,
  mustLeaseHeld,
  none,
  planMessage,
  refused,
  retry,
  writePage,
} from "./delivering.ts";
import { movingOn } from "./moving.ts";
import { east, north, split, splittingOn, west } from "./splitting.ts";

/** What of a batch goes on as a batch of its own. */
export function splitContract(bench: () => ContractBench): void {
  const { move, idsOf, dueOf, progressOf, deliverAll } = movingOn(bench);
  const at = (pushOrigin: string) => ({ pushOrigin, vapidKeyId: bench().vapidKeyId });
  const openBreaker = (pushOrigin: string) =>
    bench().store.breakers.open({
      ...at(pushOrigin),
      reason: "unavailable",
      detail: "503",
      openedAtMs: 1_000,
      probeAtMs: 5_000,
    });

  const { planned, first, withWestApart } = splittingOn(bench);

  describe("a push origin that a breaker holds", () => {
    test("is split off with its walk and its retries, and goes on when the breaker closes", async () => {
      const message = await planned();
      const { store } = bench();
      const half = await first();
      const walked = [
        { ...retry(1, 2_000), pushOrigin: east },
        { ...retry(2, 2_000), pushOrigin: west },
      ];
      await writePage(store, half, { to: 2, walked }, 1_000);
      await openBreaker(west);
      expect(await store.delivery.pauseHeld()).toEqual([]);

      const rest = await mustLease(store, 3_000);
      expect(rest).toMatchObject({ id: half.id, exceptOrigins: [west], cursor: 2, lastId: 6 });
      expect(await idsOf(rest)).toEqual([3, 5]);
      expect(await dueOf(rest, 3_000)).toMatchObject([{ registrationId: 1 }]);
      expect(await store.delivery.queue(3_000)).toMatchObject({ openBatches: 2, retries: 2 });
      expect(await store.delivery.waitingAt(at(west))).toBe(3);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, retry: 2 } });
      const retried = [{ attempts: 1, delivered: acceptedAt(east, 1) }];
      expect(
        await writePage(
          store,
          rest,
          { walked: [acceptedAt(east, 3), acceptedAt(east, 5)], retried },
          3_000,
        ),
      ).toMatchObject({ done: true });
      expect(await store.delivery.pauseHeld()).toEqual([message.id]);
      expect(await store.messages.heldBy(message.id)).toMatchObject([{ pushOrigin: west }]);

      // A probe goes on with the walk, or with the retries.
      expect(await store.delivery.dueProbes(5_000, 9)).toEqual([{ ...at(west), proven: true }]);
      const probed = await mustLeaseHeld(store, at(west), 5_000);
      expect(probed).toMatchObject({ onlyOrigins: [west], lane: west, cursor: 2, lastId: 6 });
      expect(await idsOf(probed)).toEqual([4, 6]);
      expect(await dueOf(probed, 5_000)).toMatchObject([{ registrationId: 2, attempts: 1 }]);
      await writePage(store, probed, { to: 4, walked: [acceptedAt(west, 4)] }, 5_000);
      await store.breakers.close(at(west));
      expect(await store.delivery.resumeFreed()).toEqual([message.id]);
      expect(await deliverAll(6_000)).toEqual([`2 at ${west}`, `6 at ${west}`]);
      expect(await store.delivery.finishMessages(6_000)).toEqual([message.id]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, accepted: 6 } });
    });

    test("is split off once, and left out where nothing of it is left", async () => {
      await planned();
      const { store } = bench();
      const walked = [
        acceptedAt(east, 1),
        acceptedAt(west, 2),
        acceptedAt(east, 3),
        acceptedAt(west, 4),
      ];
      await writePage(store, await first(), { to: 4, walked }, 1_000);
      await openBreaker(east);
      await openBreaker(north);
      const rest = await mustLease(store, 2_000);
      expect(rest.exceptOrigins).toEqual([north, east]);
      expect(await store.delivery.splitOff(rest, "owner")).toEqual(rest);
      expect(await store.delivery.queue(2_000)).toMatchObject({ openBatches: 2 });
      // Both are walked to the end.
      await writePage(store, rest, { walked: [acceptedAt(west, 6)] }, 2_000);
      const probed = await mustLeaseHeld(store, at(east), 5_000);
      await writePage(store, probed, { walked: [acceptedAt(east, 5)] }, 5_000);
      expect(await store.delivery.queue(5_000)).toMatchObject({ openBatches: 0 });
    });

    test("is not split off under a lease that was lost", async () => {
      await planned();
      const { store } = bench();
      const early = await first();
      await openBreaker(west);
      expect(await store.delivery.splitOff(early, "another")).toBeNull();
      await store.delivery.release(leaseOf(early));
      expect(await store.delivery.splitOff(early, "owner")).toBeNull();
      const shared = { pushService: "windows", vapidKeyId: bench().vapidKeyId, lane: "shared" };
      const lease = { owner: "owner", untilMs: 90_000 };
      const late = await store.delivery.lease(shared, early.messageId, lease, 2_000);
      expect(late).toMatchObject({ id: early.id, epoch: early.epoch + 1 });
      expect(await store.delivery.splitOff(early, "owner")).toBeNull();
      expect(await store.delivery.queue(2_000)).toMatchObject({ openBatches: 1 });
    });

    test("is split off alone, whoever came into the audience after planning", async () => {
      const { store, projectId } = bench();
      await bench().prove(east, west);
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = { projectId, topicId: (await store.topics.find(projectId, "news"))?.id ?? 0 };
      const tokens: string[] = [];
      for (const pushOrigin of [east, west, west]) tokens.push(await bench().add({ pushOrigin }));
      await store.topics.changeMany(topic, "join", tokens.slice(0, 1), 1);
      const message = await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      await store.topics.changeMany(topic, "join", tokens.slice(1), 500);
      await openBreaker(west);
      await writePage(store, await first(), { walked: [acceptedAt(east, 1)] }, 1_000);
      await store.breakers.close(at(west));
      expect(await deliverAll(2_000)).toEqual([`2 at ${west}`, `3 at ${west}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 3, accepted: 3 } });
    });

    test("with nothing but retries ends with the message's TTL", async () => {
      const message = await planned(5);
      const { store } = bench();
      const busy = { ...retry(2, 2_000), pushOrigin: west };
      await writePage(store, await first(), { to: 5, walked: [busy] }, 1_000);
      await openBreaker(west);
      await store.registrations.leave(6, 1_500);
      const rest = await mustLease(store, 2_000);
      expect(await store.delivery.expireBatches(6_000)).toBe(1);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, failed: 1 });
      await writePage(store, rest, {}, 6_000);
      expect(await store.delivery.finishMessages(6_000)).toEqual([message.id]);
    });
  });

  describe("splits of a checkpoint", () => {
    test("go on from where they say, free", async () => {
      const { message, batch, apart } = await withWestApart({ cursor: 2 }, [acceptedAt(west, 2)]);
      const { store } = bench();
      expect(apart).toMatchObject({
        messageId: message.id,
        onlyOrigins: [west],
        lane: west,
        cursor: 2,
        lastId: 6,
        dueAtMs: batch.dueAtMs,
        epoch: 0,
      });
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 6, accepted: 3 } });
      const other = await mustLease(store, 1_000, { lane: west });
      expect(other).toEqual({ ...apart, epoch: 1 });
      expect(await idsOf(other)).toEqual([4, 6]);
      const rest = await mustLease(store, 1_000);
      expect(rest).toMatchObject({ id: batch.id, exceptOrigins: [west], cursor: 4 });
      expect(await idsOf(rest)).toEqual([5]);
    });

    test("are leased at once to who says so", async () => {
      const { batch, apart } = await withWestApart({ leaseUntilMs: 9_000, underWay: [2, 4] });
      const { store } = bench();
      if (apart === null) throw new Error("nothing goes on");
      expect(apart).toMatchObject({ epoch: 1, cursor: 0 });
      expect(await leaseNext(store, 8_999, { lane: west, owner: "another" })).toBeNull();
      expect(await store.delivery.extendLease(leaseOf(apart), 20_000)).toBe(true);
      expect(await leaseNext(store, 19_999, { lane: west, owner: "another" })).toBeNull();
      const page = { to: 4, walked: [acceptedAt(west, 2), acceptedAt(west, 4)] };
      expect(await writePage(store, apart, page, 20_000)).toMatchObject({
        counts: { ...none, accepted: 2 },
        done: false,
      });
      expect(await deliverAll(20_000)).toEqual([`5 at ${east}`, `6 at ${west}`]);
      expect((await findMessage(bench(), batch.messageId)).counts).toEqual({
        ...none,
        accepted: 6,
      });
    });

    test("take the retries of their push origins along, those of this page too", async () => {
      const message = await planned();
      const { store } = bench();
      const walked = [acceptedAt(east, 1), { ...retry(2, 3_000), pushOrigin: west }];
      await writePage(store, await first(), { to: 2, walked }, 1_000);
      const again = await mustLease(store, 2_000);
      const more = [
        { ...retry(3, 4_000), pushOrigin: east },
        { ...retry(4, 4_000), pushOrigin: west },
      ];
      const page = {
        to: 6,
        walked: [...more, acceptedAt(east, 5)],
        splits: [split(west, { cursor: 4 })],
      };
      const written = await writePage(store, again, page, 2_000);
      const apart = await mustLease(store, 4_000, { lane: west });
      expect(apart.id).toBe(written?.splits[0]?.id);
      expect(await idsOf(apart)).toEqual([6]);
      expect((await dueOf(apart, 4_000)).map(({ registrationId }) => registrationId)).toEqual([
        2, 4,
      ]);
      expect(await progressOf(message.id)).toEqual({
        windows: { planned: 6, accepted: 2, retry: 3 },
      });
      await store.delivery.release(leaseOf(apart));
      expect(await deliverAll(4_000)).toEqual([
        `2 at ${west}`,
        `3 at ${east}`,
        `4 at ${west}`,
        `6 at ${west}`,
      ]);
    });

    test("of which nothing is left are none, and none is made of a batch that was cancelled", async () => {
      const message = await planned();
      const { store, projectId } = bench();
      const ids = [1, 2, 3, 4, 5, 6];
      const walked = ids.map((id) => acceptedAt(id % 2 === 0 ? west : east, id));
      const splits = [split(north), split(east, { cursor: 5 })];
      const page = { to: 5, walked: walked.slice(0, 5), splits };
      const written = await writePage(store, await first(), page, 1_000);
      expect(written?.splits).toEqual([null, null]);
      const rest = await mustLease(store, 1_000);
      await store.messages.cancel(projectId, message.id, 1_100);
      const last = await writePage(store, rest, { to: 5, splits: [split(west)] }, 1_200);
      expect(last).toMatchObject({ splits: [], done: true });
    });

    test("of several push origins are one batch", async () => {
      for (const pushOrigin of [east, west, north, west]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const splits = [{ pushOrigins: [west, north], cursor: 0, leaseUntilMs: null }];
      await writePage(store, await first(), { walked: [acceptedAt(east, 1)], splits }, 1_000);
      const apart = await mustLease(store, 1_000);
      expect(apart).toMatchObject({ onlyOrigins: [west, north], lane: "unproven" });
      expect(await idsOf(apart)).toEqual([2, 3, 4]);
      await store.delivery.release(leaseOf(apart));
      await deliverAll(1_000);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 4, accepted: 4 } });
    });
  });

  test("a batch that hosts retries is split like others", async () => {
    const away = "https://away.example";
    await bench().prove(east, west);
    for (let count = 0; count < 2; count += 1) await bench().add({ pushOrigin: away });
    const message = await planMessage(bench());
    const { store } = bench();
    await move(1, { pushOrigin: east });
    await move(2, { pushOrigin: west });
    await openBreaker(west);
    const hosting = await mustLease(store, 2_000, { pushOrigin: east });
    expect(await dueOf(hosting, 2_000)).toMatchObject([{ registrationId: 1 }]);
    await writePage(
      store,
      hosting,
      { retried: [{ attempts: 0, delivered: acceptedAt(east, 1) }] },
      2_000,
    );
    const probed = await mustLeaseHeld(store, at(west), 5_000);
    expect(await dueOf(probed, 5_000)).toMatchObject([{ registrationId: 2, attempts: 0 }]);
    const refusal = { ...refused(2), pushOrigin: west };
    const retried = [{ attempts: 0, delivered: refusal }];
    expect(await writePage(store, probed, { retried }, 5_000)).toMatchObject({ done: true });
    expect(await deliverAll(5_000)).toEqual([]);
    expect(await progressOf(message.id)).toEqual({
      [away]: { planned: 0 },
      windows: { planned: 2, accepted: 1, rejected: 1 },
    });
  });
}
