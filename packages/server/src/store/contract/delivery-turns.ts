import { describe, expect, test } from "vitest";
import { endAsGone, type ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  gone,
  leaseNext,
  mustLease,
  none,
  planMessage,
  refused,
  retry,
  writePage,
} from "./delivering.ts";
import { addTopic } from "./members.ts";
import { acceptedBy, movingOn } from "./moving.ts";

const [a, b] = ["https://a.example", "https://b.example"] as const;
const [east, west] = [
  "https://wns2-east.notify.windows.com",
  "https://wns2-west.notify.windows.com",
] as const;

/** Each registration of the audience has one turn, and is in one of the five counts, wherever it goes meanwhile. */
export function turnContract(bench: () => ContractBench): void {
  const { move, idsOf, dueOf, progressOf, deliverAll } = movingOn(bench);
  const countsOf = async (id: string) => (await findMessage(bench(), id)).counts;
  const endByAnother = (id: number, generation = 1) =>
    endAsGone(bench(), bench().message({ scheduledAtMs: 900 }), id, generation);

  describe("a registration that was gone and comes back", () => {
    test("before its turn, elsewhere: it has its turn there, once", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      await endAsGone(bench(), bench().message({ scheduledAtMs: 900 }), 1, 1);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toContain(`1 at ${b}`);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, accepted: 2 });
    });

    test("after its turn had passed without it: it has one where it comes back to", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      await planMessage(bench());
      await endAsGone(bench(), bench().message({ scheduledAtMs: 900 }), 1, 1);
      const { store } = bench();
      const passed = await mustLease(store, 1_000, { pushOrigin: a });
      expect(await idsOf(passed)).toEqual([]);
      await writePage(store, passed, {}, 1_000);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toContain(`1 at ${b}`);
    });

    test("after it had accepted the message, to where the walk is still to come: it is counted once", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const first = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, first, { walked: [accepted(1)] }, 1_000);
      await endByAnother(1);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toEqual([`2 at ${b}`, `2 at ${b}`]);
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 2 });
      expect(await findMessage(bench(), message.id)).toMatchObject({ plannedCount: 2 });
    });

    test("while the page that is accepted is on its way: it is counted once", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      const onItsWay = await mustLease(store, 1_000, { pushOrigin: a });
      await endByAnother(1);
      // The other message may be done by then.
      const others = await mustLease(store, 1_200, { pushOrigin: b });
      await writePage(store, others, { walked: [accepted(2)] }, 1_200);
      if (others.messageId === message.id) throw new Error("it was to be the other one");
      await store.delivery.finishMessages(1_300);
      await writePage(store, onItsWay, { walked: [accepted(1)] }, 1_500);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toEqual([`2 at ${b}`]);
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 2 });
      expect(await findMessage(bench(), message.id)).toMatchObject({ plannedCount: 2 });
    });

    test("where its retry was accepted after it was gone: it is counted once", async () => {
      for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
      const message = await planMessage(bench(), { ttlSeconds: 3_600 });
      const { store } = bench();
      const first = await mustLease(store, 1_000, { pushOrigin: a });
      await writePage(store, first, { walked: [retry(1, 1_200)] }, 1_000);
      const onItsWay = await mustLease(store, 1_300, { pushOrigin: a });
      await endByAnother(1);
      const retried = [{ attempts: 1, delivered: accepted(1) }];
      await writePage(store, onItsWay, { retried }, 1_500);
      await move(1, { pushOrigin: b });
      expect(await deliverAll(2_000)).toEqual([`2 at ${b}`, `2 at ${b}`]);
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 2 });
    });
  });

  /** One at each push service, both in a topic that a message goes to. */
  async function toTopic() {
    const topic = await addTopic(bench(), "news");
    const of = { projectId: bench().projectId, topicId: topic.id };
    const tokens = [await bench().add({ pushOrigin: a }), await bench().add({ pushOrigin: b })];
    await bench().store.topics.changeMany(of, "join", tokens, 1);
    const change = (kind: "join" | "leave") =>
      bench().store.topics.changeMany(of, kind, tokens.slice(0, 1), 1_500);
    const target = { kind: "topic", topic: "news" } as const;
    return { message: await planMessage(bench(), { target }), change };
  }

  describe("a registration that leaves the audience, moves, and comes into it again", () => {
    test.for(["before it leaves", "after it has come back"])(
      "and whose push is accepted %s, has no second turn where it is now",
      async (when) => {
        const { message, change } = await toTopic();
        const { store } = bench();
        const page = await mustLease(store, 1_000, { pushOrigin: a });
        const write = () => writePage(store, page, { walked: [accepted(1)] }, 1_600);
        if (when === "before it leaves") await write();
        await change("leave");
        await move(1, { pushOrigin: b });
        await change("join");
        if (when !== "before it leaves") await write();
        expect(await deliverAll(2_000)).toEqual([`2 at ${b}`]);
        expect(await countsOf(message.id)).toEqual({ ...none, accepted: 2 });
        expect(await findMessage(bench(), message.id)).toMatchObject({ plannedCount: 2 });
      },
    );

    test("before its turn: it has that where it is now", async () => {
      const { message, change } = await toTopic();
      await change("leave");
      await move(1, { pushOrigin: b });
      await change("join");
      expect(await deliverAll(2_000)).toEqual([`1 at ${b}`, `2 at ${b}`]);
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 2 });
    });
  });

  describe("a registration that gets another host of the same vendor", () => {
    test("has not moved: it has its turn in the batch that covers both hosts", async () => {
      for (const pushOrigin of [east, west, east]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store } = bench();
      await move(1, { pushOrigin: west });
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 3 } });
      const batch = await mustLease(store, 2_000);
      expect(await idsOf(batch)).toEqual([1, 2, 3]);
      const half = { to: 1, walked: [{ ...accepted(1, 2), pushOrigin: west }] };
      await writePage(store, batch, half, 2_000);
      await move(1, { pushOrigin: east });
      expect(await deliverAll(2_000)).toEqual([`2 at ${west}`, `3 at ${east}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 3, accepted: 3 } });
    });

    test("takes its retry along, also when an answer to the old host comes late", async () => {
      for (const pushOrigin of [east, west]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const { store, vapidKeyId } = bench();
      const first = await mustLease(store, 1_000);
      await writePage(store, first, { walked: [{ ...retry(1, 1_500), pushOrigin: east }] }, 1_200);
      const again = await mustLease(store, 1_500);
      expect(await dueOf(again, 1_500)).toMatchObject([{ registrationId: 1, pushOrigin: east }]);
      await move(1, { pushOrigin: west });
      const busy = { ...retry(1, 3_000), pushOrigin: east };
      await writePage(store, again, { retried: [{ attempts: 1, delivered: busy }] }, 2_000);
      // It is the west's now, and waits for that.
      const breaker = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 2 } as const;
      await store.breakers.open({ pushOrigin: west, vapidKeyId, ...breaker });
      expect(await deliverAll(3_000)).toEqual([]);
      await store.breakers.close({ pushOrigin: west, vapidKeyId });
      expect(await deliverAll(3_000)).toEqual([`1 at ${west}`]);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 1, accepted: 1 } });
    });

    test.for([
      ["is busy", { ...retry(1, 1_500), pushOrigin: east }],
      ["finds the old subscription gone", { ...gone(1), pushOrigin: east }],
    ] as const)("while a page is on its way that %s: it is tried again there", async ([, came]) => {
      for (const pushOrigin of [east, west]) await bench().add({ pushOrigin });
      const { id } = await planMessage(bench());
      const { store, vapidKeyId } = bench();
      const onItsWay = await mustLease(store, 1_000);
      await move(1, { pushOrigin: west });
      const walked = [came, { ...accepted(2), pushOrigin: west }];
      await writePage(store, onItsWay, { walked }, 1_200);
      const breaker = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 2 } as const;
      await store.breakers.open({ pushOrigin: west, vapidKeyId, ...breaker });
      expect(await deliverAll(2_000)).toEqual([]);
      await store.breakers.close({ pushOrigin: west, vapidKeyId });
      expect(await deliverAll(2_000)).toEqual([`1 at ${west}`]);
      expect(await countsOf(id)).toEqual({ ...none, accepted: 2 });
    });
  });

  describe("the five counts of a message that is done", () => {
    test("sum to who was planned, less who left before their turn", async () => {
      const { store } = bench();
      for (let count = 0; count < 6; count += 1) await bench().add({ pushOrigin: a });
      const message = await planMessage(bench(), { ttlSeconds: 3_600 });
      expect(message.plannedCount).toBe(6);
      await store.registrations.leave(5, 900);
      const batch = await mustLease(store, 1_000);
      expect(await idsOf(batch)).toEqual([1, 2, 3, 4, 6]);
      const walked = [accepted(1), gone(2), refused(3), refused(4, "failed"), retry(6, 2_000)];
      await writePage(store, batch, { walked }, 1_000);
      expect(await progressOf(message.id)).toMatchObject({ [a]: { planned: 6 } });
      await deliverAll(2_000);
      expect(await store.delivery.finishMessages(2_000)).toEqual([message.id]);
      const counts = { accepted: 2, gone: 1, retry: 0, rejected: 1, failed: 1 };
      expect(await findMessage(bench(), message.id)).toMatchObject({ plannedCount: 5, counts });
      expect(await store.messages.progress(message.id)).toEqual([
        { pushService: a, planned: 5, counts },
      ]);
    });

    test("also where the last retry of a batch moves away", async () => {
      const { store } = bench();
      for (let count = 0; count < 3; count += 1) await bench().add({ pushOrigin: a });
      const message = await planMessage(bench(), { ttlSeconds: 3_600 });
      await store.registrations.leave(2, 900);
      const batch = await mustLease(store, 1_000);
      await writePage(store, batch, { walked: [retry(1, 2_000), accepted(3)] }, 1_000);
      await move(1, { pushOrigin: b });
      expect(await leaseNext(store, 9_000, { pushOrigin: a })).toBeNull();
      await deliverAll(2_000);
      expect(await store.delivery.finishMessages(2_000)).toEqual([message.id]);
      expect(await progressOf(message.id)).toEqual({
        [a]: { planned: 1, accepted: 1 },
        [b]: { planned: 1, accepted: 1 },
      });
    });

    test("also where one has left whose page was under way", async () => {
      const { store } = bench();
      for (const pushOrigin of [east, west]) await bench().add({ pushOrigin });
      const message = await planMessage(bench());
      const batch = await mustLease(store, 1_000);
      const page = await store.delivery.batchPage(batch, message, 10);
      await store.registrations.leave(2, 1_100);
      // Nothing was begun for who has left.
      const walked = page.filter(({ registrationId }) => registrationId !== 2).map(acceptedBy);
      await writePage(store, batch, { walked }, 1_200);
      expect(await progressOf(message.id)).toEqual({ windows: { planned: 1, accepted: 1 } });
    });
  });
}
