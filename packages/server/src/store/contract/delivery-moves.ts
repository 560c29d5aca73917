import { describe, expect, test } from "vitest";
import { asNew, type ContractBench } from "./bench.ts";
import {
  type Came,
  accepted,
  findMessage,
  gone,
  leaseNext,
  mustLease,
  none,
  planMessage,
  planOn,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";
import { movingOn } from "./moving.ts";

const [a, b, c] = ["https://a.example", "https://b.example", "https://c.example"] as const;

export function moveContract(bench: () => ContractBench): void {
  const { move, idsOf, dueOf, progressOf, deliverAll } = movingOn(bench);

  describe("a registration that moves while a message is being sent", () => {
    test("before its turn, to where nobody was: it has its turn there", async () => {
      await bench().add({ pushOrigin: a });
      await bench().add({ pushOrigin: a });
      const message = await planMessage(bench());
      await move(1, { pushOrigin: b });
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1 },
        [b]: { planned: 1, retry: 1 },
      });
      const { store } = bench();
      const left = await mustLease(store, 2_000, { pushOrigin: a });
      // It waits since the message was due, and not since it moved.
      expect(await store.delivery.queue(2_000)).toMatchObject({ oldestDueMs: 1_000 });
      expect(await idsOf(left)).toEqual([2]);
      const batch = await mustLease(store, 2_000, { pushOrigin: b });
      expect(batch.dueAtMs).toBe(1_000);
      expect(await idsOf(batch)).toEqual([]);
      expect(await dueOf(batch, 2_000)).toEqual([
        {
          registrationId: 1,
          pushOrigin: b,
          attempts: 0,
          firstTriedAtMs: null,
          changedAtMs: 2_000,
          recipient: expect.objectContaining({ pushOrigin: b, generation: 2 }),
        },
      ]);
      const retried = [{ attempts: 0, delivered: accepted(1, 2) }];
      expect(await writePage(store, batch, { retried }, 2_000)).toMatchObject({
        counts: { ...none, accepted: 1 },
        done: true,
      });
      await writePage(store, left, { walked: [accepted(2)] }, 2_000);
      expect(await store.delivery.finishMessages(2_000)).toEqual([message.id]);
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, accepted: 1 },
        [b]: { planned: 1, accepted: 1 },
      });
    });

    test("to another VAPID key of the same push service", async () => {
      const another = await bench().addVapidKey("key-2");
      await bench().add({ pushOrigin: a });
      const message = await planMessage(bench());
      await move(1, { pushOrigin: a, vapidKeyId: another });
      expect(await bench().store.delivery.readyDestinations(2_000)).toMatchObject([
        {},
        { vapidKeyId: another },
      ]);
      expect(await deliverAll(2_000)).toEqual([`1 at ${a}`]);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, accepted: 1 });
    });

    test("before its turn, to where its turn is still to come: it has one turn", async () => {
      for (const pushOrigin of [a, b, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toEqual([`1 at ${b}`, `2 at ${b}`, `3 at ${b}`]);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, accepted: 3 });
      expect(await bench().store.delivery.finishMessages(2_000)).toEqual([message.id]);
    });

    test("is not lost where a page of its new batch is on its way", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      await planMessage(bench());
      const { store } = bench();
      const onItsWay = await mustLease(store, 1_000, { pushOrigin: b });
      expect(await idsOf(onItsWay)).toEqual([2]);
      await move(1, { pushOrigin: b });
      await writePage(store, onItsWay, { walked: [accepted(2)] }, 2_000);
      expect(await deliverAll(2_000)).toEqual([`1 at ${b}`]);
    });

    test("while its page is on its way: it is counted where it is now, and once", async () => {
      for (const pushOrigin of [a, a, a]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const onItsWay = await mustLease(store, 1_000, { pushOrigin: a });
      for (const id of [1, 2]) await move(id, { pushOrigin: b });
      const walked = [accepted(1), retry(2, 5_000), accepted(3)];
      expect(await writePage(store, onItsWay, { walked }, 2_000)).toMatchObject({
        counts: { ...none, accepted: 1 },
        done: true,
      });
      expect(await deliverAll(2_000)).toEqual([`1 at ${b}`, `2 at ${b}`]);
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, accepted: 1 },
        [b]: { planned: 2, accepted: 2 },
      });
    });

    test("a late gone of its old subscription ends nothing, and the new one gets the message", async () => {
      const token = await bench().add({ pushOrigin: a });
      await planMessage(bench());
      const { store, projectId } = bench();
      const onItsWay = await mustLease(store, 1_000, { pushOrigin: a });
      await move(1, { pushOrigin: b });
      expect(await writePage(store, onItsWay, { walked: [gone(1, 1)] }, 2_000)).toMatchObject({
        counts: none,
        done: true,
      });
      expect(await store.registrations.find(projectId, token)).toMatchObject({ endReason: null });
      expect(await deliverAll(2_000)).toEqual([`1 at ${b}`]);
    });

    test("after its turn, to where the walk would meet it: it has no second one", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const first = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, first, { walked: [accepted(1)] }, 1_000);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toEqual([`2 at ${b}`]);
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, accepted: 1 },
        [b]: { planned: 1, accepted: 1 },
      });
      expect(await store.messages.reasons(message.id)).toEqual([]);
    });

    test("after its turn, by way of a place without a batch", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      await planMessage(bench());
      const { store } = bench();
      const first = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, first, { walked: [accepted(1)] }, 1_000);
      await move(1, { pushOrigin: c });
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toEqual([`2 at ${b}`]);
    });

    test("and has had its turn where it moved to, is not met by the walk there afterwards", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      await move(1, { pushOrigin: b });
      const { store } = bench();
      const batches = [await mustLease(store, 2_000, { pushOrigin: b })];
      batches.push(await mustLease(store, 2_000, { pushOrigin: b }));
      const hosting = batches.find(({ lastId }) => lastId === 0);
      if (hosting === undefined) throw new Error("no batch holds it");
      const retried = [{ attempts: 0, delivered: accepted(1, 2) }];
      await writePage(store, hosting, { retried }, 2_000);
      await store.delivery.releaseAll();
      expect(await deliverAll(2_000)).toEqual([`2 at ${b}`]);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, accepted: 2 });
    });

    test("there and back again: one turn, at the end of its way", async () => {
      for (const pushOrigin of [a, a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      await move(1, { pushOrigin: b });
      await move(1, { pushOrigin: a });
      expect(await deliverAll(2_000)).toEqual([`1 at ${a}`, `2 at ${a}`, `3 at ${b}`]);
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 2, accepted: 2 },
        [b]: { planned: 1, accepted: 1 },
      });
    });

    test("takes its retry along, with the attempts; an answer to the old one comes too late", async () => {
      for (const pushOrigin of [a, a]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const first = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, first, { walked: [retry(1, 3_000), retry(2, 3_000)] }, 1_000);
      const onItsWay = await mustLease(store, 3_000, { pushOrigin: a });
      await move(1, { pushOrigin: b });
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, retry: 1 },
        [b]: { planned: 1, retry: 1 },
      });
      const retried = [1, 2].map((id) => ({ attempts: 1, delivered: accepted(id) }));
      expect(await writePage(store, onItsWay, { retried }, 3_000)).toMatchObject({
        counts: { ...none, accepted: 1 },
        done: true,
      });
      expect(await leaseNext(store, 2_999)).toBeNull();
      const batch = await mustLease(store, 3_000, { pushOrigin: b });
      expect(await dueOf(batch, 3_000)).toMatchObject([
        { registrationId: 1, attempts: 1, recipient: { pushOrigin: b } },
      ]);
      await writePage(
        store,
        batch,
        { retried: [{ attempts: 1, delivered: accepted(1, 2) }] },
        3_000,
      );
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, accepted: 1 },
        [b]: { planned: 1, accepted: 1 },
      });
      expect(await store.delivery.finishMessages(3_000)).toEqual([message.id]);
    });

    test("with a retry of a batch that is still being walked: that goes on", async () => {
      for (const pushOrigin of [a, a, a]) await bench().add({ pushOrigin });
      await planMessage(bench());
      const { store } = bench();
      const batch = await mustLease(store, 1_000);
      await writePage(store, batch, { to: 1, walked: [retry(1, 3_000)] }, 1_000);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(3_000)).toEqual([`1 at ${b}`, `2 at ${a}`, `3 at ${a}`]);
    });

    test("while it is out of the audience, with an answer to come: it is not sent to at its old place", async () => {
      const { store, projectId } = bench();
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = { projectId, topicId: (await store.topics.find(projectId, "news"))?.id ?? 0 };
      const tokens = [await bench().add({ pushOrigin: a })];
      await store.topics.changeMany(topic, "join", tokens, 1);
      await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      const onItsWay = await mustLease(store, 1_000, { pushOrigin: a });
      await store.topics.changeMany(topic, "leave", tokens, 2_000);
      await move(1, { pushOrigin: b });
      await store.topics.changeMany(topic, "join", tokens, 2_000);
      await writePage(store, onItsWay, { walked: [retry(1, 3_000)] }, 2_000);
      const again = await mustLease(store, 3_000, { pushOrigin: a });
      expect(await dueOf(again, 3_000)).toMatchObject([{ registrationId: 1, recipient: null }]);
    });

    test("with the last retry of its batch: that is done, also where its push service is left alone", async () => {
      await bench().add({ pushOrigin: a });
      const message = await planMessage(bench());
      const { store, vapidKeyId } = bench();
      const batch = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, batch, { walked: [retry(1, 3_000)] }, 1_000);
      await store.breakers.open({
        pushOrigin: a,
        vapidKeyId,
        reason: "vapid-refused",
        detail: "403",
        openedAtMs: 1_000,
        probeAtMs: 99_000,
      });
      await move(1, { pushOrigin: b });
      expect(await deliverAll(3_000)).toEqual([`1 at ${b}`]);
      expect(await store.delivery.finishMessages(3_000)).toEqual([message.id]);
    });

    test("and leaves the audience before its turn: it counts nowhere", async () => {
      const { store, projectId } = bench();
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = { projectId, topicId: (await store.topics.find(projectId, "news"))?.id ?? 0 };
      const tokens = [await bench().add({ pushOrigin: a }), await bench().add({ pushOrigin: a })];
      await store.topics.changeMany(topic, "join", tokens, 1);
      const message = await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      for (const id of [1, 2]) await move(id, { pushOrigin: b });
      await store.topics.changeMany(topic, "leave", tokens.slice(0, 1), 2_001);
      await store.registrations.leave(2, 2_001);
      const batch = await mustLease(store, 2_001, { pushOrigin: b });
      const due = await dueOf(batch, 2_001);
      expect(due.map(({ recipient }) => recipient)).toEqual([null, null]);
      const retried = due.map(({ registrationId, attempts }) => ({
        attempts,
        delivered: refused(registrationId, "failed", "not-in-audience"),
      }));
      expect(await writePage(store, batch, { retried }, 2_001)).toMatchObject({
        counts: none,
        done: true,
      });
      expect(await deliverAll(2_001)).toEqual([]);
      expect((await findMessage(bench(), message.id)).counts).toEqual(none);
      expect(await store.delivery.finishMessages(2_001)).toEqual([message.id]);
    });

    test("and was sent to there, fails like any other when it leaves the audience", async () => {
      await bench().add({ pushOrigin: a });
      const message = await planMessage(bench());
      await move(1, { pushOrigin: b });
      const { store } = bench();
      const batch = await mustLease(store, 2_000, { pushOrigin: b });
      const busy: Came = { ...retry(1, 3_000), generation: 2 };
      await writePage(store, batch, { retried: [{ attempts: 0, delivered: busy }] }, 2_000);
      await store.registrations.leave(1, 2_001);
      await deliverAll(3_000);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, failed: 1 });
    });

    test("is owed nothing of what it is not in the audience of, what is not planned, or has ended", async () => {
      const { store, projectId, candidate } = bench();
      const other = await store.projects.ensure("other", 1);
      await bench().add({ pushOrigin: a });
      const stranger = candidate({ projectId: other.id, pushOrigin: a });
      await store.registrations.register(stranger, asNew, 1);
      const target = { kind: "token" as const, token: await bench().add({ pushOrigin: a }) };
      const toAnother = await planMessage(bench(), { target });
      const cancelled = await planMessage(bench());
      await store.messages.cancel(projectId, cancelled.id, 1_500);
      const open = await planMessage(bench());
      const unplanned = await startMessage(bench());
      const before = await Promise.all([toAnother, cancelled].map(({ id }) => progressOf(id)));
      await move(1, { pushOrigin: b });
      await move(2, { projectId: other.id, pushOrigin: b });
      expect(await Promise.all([toAnother, cancelled].map(({ id }) => progressOf(id)))).toEqual(
        before,
      );
      expect(await progressOf(open.id)).toEqual({
        [a]: { planned: 1 },
        [b]: { planned: 1, retry: 1 },
      });
      await planOn(bench(), unplanned.id, { keys: 10, dueAt: () => 1_000 });
      expect(await progressOf(unplanned.id)).toEqual({ [a]: { planned: 1 }, [b]: { planned: 1 } });
    });

    test("and was not in the audience when its turn passed: it has no other one where it is now", async () => {
      const { store, projectId } = bench();
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = { projectId, topicId: (await store.topics.find(projectId, "news"))?.id ?? 0 };
      const tokens: string[] = [];
      for (const pushOrigin of [a, a, b]) tokens.push(await bench().add({ pushOrigin }));
      await store.topics.changeMany(topic, "join", tokens.slice(1), 1);
      await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      const passed = await mustLease(store, 1_000, { pushOrigin: a });
      expect(await idsOf(passed)).toEqual([2]);
      await writePage(store, passed, { walked: [accepted(2)] }, 1_000);
      await move(1, { pushOrigin: b });
      await store.topics.changeMany(topic, "join", tokens.slice(0, 1), 2_000);
      expect(await deliverAll(2_000)).toEqual([`3 at ${b}`]);
    });

    test("and came into the audience after planning: it is planned where it moves to, and nowhere twice", async () => {
      const { store, projectId } = bench();
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = { projectId, topicId: (await store.topics.find(projectId, "news"))?.id ?? 0 };
      const tokens: string[] = [];
      for (const pushOrigin of [a, a, a]) tokens.push(await bench().add({ pushOrigin }));
      await store.topics.changeMany(topic, "join", tokens.slice(0, 1), 1);
      const message = await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      expect(message.plannedTo).toBe(3);
      await store.topics.changeMany(topic, "join", tokens.slice(1), 2_000);
      for (const id of [2, 3]) await move(id, { pushOrigin: b });
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 0 },
        [b]: { planned: 2, retry: 2 },
      });
      expect(await deliverAll(2_000)).toEqual([`1 at ${a}`, `2 at ${b}`, `3 at ${b}`]);
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, accepted: 1 },
        [b]: { planned: 2, accepted: 2 },
      });
    });

    test("nothing happens to one that stays where it is: refreshed, or renewed there", async () => {
      for (const pushOrigin of [a, a]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const batch = await mustLease(store, 1_000);
      await move(1, { pushOrigin: a }, "refresh");
      await move(2, { pushOrigin: a });
      expect(await progressOf(message.id)).toEqual({ [a]: { planned: 2 } });
      expect(await idsOf(batch)).toEqual([1, 2]);
      await writePage(store, batch, { walked: [accepted(1), accepted(2)] }, 2_000);
      expect(await deliverAll(2_000)).toEqual([]);
    });
  });
}
