import { describe, expect, test } from "vitest";
import { MessageUnreadable, type Batch, type MessageTarget, type NewMessage } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  findMessage,
  leaseAll,
  leaseNext,
  mustLease,
  planMessage,
  planOn,
  startMessage,
} from "./delivering.ts";

/** Ids of what the batch has left to walk. */
async function walkOf(bench: ContractBench, batch: Batch) {
  const message = await findMessage(bench, batch.messageId);
  const page = await bench.store.delivery.batchPage(batch, message, 1_000);
  return page.map(({ registrationId }) => registrationId);
}

/** Leases all batches of the message; gives push service, lane, range, due time and registrations of each. */
async function batchesOf(bench: ContractBench, messageId: string, nowMs: number) {
  const found = [];
  for await (const batch of leaseAll(bench.store, nowMs, { messageId })) {
    const { pushService, lane, cursor, lastId, dueAtMs } = batch;
    const range = [cursor, lastId];
    found.push({ pushService, lane, range, dueAtMs, ids: await walkOf(bench, batch) });
  }
  return found;
}

/** When it is six o'clock there, an unknown time zone being UTC. */
function dueInZone(timeZone: string | null): number {
  if (timeZone === null || timeZone === "Etc/UTC") return 6_000;
  return timeZone === "America/Lima" ? 9_000 : 3_000;
}

const options = { keys: 1_000, dueAt: () => 1_000 };

export function planContract(bench: () => ContractBench): void {
  async function add(pushOrigin: string, over: Parameters<ContractBench["add"]>[0] = {}) {
    return bench().add({ pushOrigin, ...over });
  }

  describe("planning", () => {
    test("what is scheduled earlier is next, and nothing before its time", async () => {
      const { store, message } = bench();
      const late = message({ scheduledAtMs: 3_000 });
      const early = message({ scheduledAtMs: 2_000 });
      await store.messages.publish(late, 1);
      await store.messages.publish(early, 1);
      expect(await store.delivery.nextToPlan(1_999)).toBeNull();
      expect(await store.delivery.nextToPlan(9_000)).toMatchObject({ id: early.id });
      expect(await store.delivery.startSending(late.id, 2_999)).toBe(false);
      expect(await store.delivery.startSending(late.id, 3_000)).toBe(true);
    });

    test("sending starts once, with the audience of that moment", async () => {
      const { add: addOne, store } = bench();
      await addOne();
      await addOne();
      const message = await startMessage(bench());
      await addOne();
      expect(message).toMatchObject({ state: "sending", watermark: 2, startedAtMs: 1_000 });
      expect(await store.delivery.startSending(message.id, 1_001)).toBe(false);
      const planned = await planOn(bench(), message.id, options);
      expect(planned).toMatchObject({ plannedTo: 2, plannedCount: 2 });
      expect(await walkOf(bench(), await mustLease(store, 1_000))).toEqual([1, 2]);
    });

    test("large messages are planned in turn, part by part", async () => {
      const { store, add: addOne } = bench();
      for (let count = 0; count < 4; count += 1) await addOne();
      const [first, second] = [
        await startMessage(bench(), { scheduledAtMs: 900 }),
        await startMessage(bench(), { scheduledAtMs: 950 }),
      ];
      const order: (string | undefined)[] = [];
      for (let nowMs = 1_000; nowMs < 1_010; nowMs += 1) {
        const message = await store.delivery.nextToPlan(nowMs);
        order.push(message?.id);
        if (message === null) continue;
        expect(await store.delivery.planPart(message, { ...options, keys: 2 }, nowMs)).toBe(true);
      }
      const [one, two] = [first.id, second.id];
      expect(order.slice(0, 5)).toEqual([one, two, one, two, undefined]);
    });

    test("a part looks at so many registrations, and makes a batch for each push service", async () => {
      for (const name of ["a", "b", "a", "a", "c"]) await add(`https://${name}.example`);
      const message = await startMessage(bench());
      const { store } = bench();
      expect(await store.delivery.planPart(message, { ...options, keys: 3 }, 2_000)).toBe(true);
      expect(await findMessage(bench(), message.id)).toMatchObject({
        plannedTo: 3,
        plannedCount: 3,
      });
      await planOn(bench(), message.id, { ...options, keys: 3 });
      expect(await findMessage(bench(), message.id)).toMatchObject({
        plannedTo: 5,
        plannedCount: 5,
      });
      const batches = await batchesOf(bench(), message.id, 2_000);
      expect(batches).toHaveLength(4);
      const common = { lane: "unproven", dueAtMs: 1_000 };
      expect(batches).toEqual(
        expect.arrayContaining([
          { pushService: "https://a.example", ...common, range: [0, 3], ids: [1, 3] },
          { pushService: "https://b.example", ...common, range: [0, 3], ids: [2] },
          { pushService: "https://a.example", ...common, range: [3, 5], ids: [4] },
          { pushService: "https://c.example", ...common, range: [3, 5], ids: [5] },
        ]),
      );
      const progress = await store.messages.progress(message.id);
      expect(progress.map(({ pushService, planned }) => [pushService, planned])).toEqual([
        ["https://a.example", 3],
        ["https://b.example", 1],
        ["https://c.example", 1],
      ]);
    });

    test("two keys at one push service are two destinations", async () => {
      const { store, add: addOne, vapidKeyId } = bench();
      const another = await bench().addVapidKey("key-2");
      await addOne();
      await addOne({ vapidKeyId: another });
      await planMessage(bench());
      const found = await store.delivery.readyDestinations(1_000);
      expect(found.map((each) => each.vapidKeyId)).toEqual(
        expect.arrayContaining([vapidKeyId, another]),
      );
      expect(found).toHaveLength(2);
    });

    test("a part is planned once, also by two at the same moment", async () => {
      await bench().add();
      const message = await startMessage(bench());
      const another = await bench().openAnother();
      expect(await bench().store.delivery.planPart(message, options, 2_000)).toBe(true);
      expect(await another.delivery.planPart(message, options, 2_000)).toBe(false);
      expect(await bench().store.delivery.planPart(message, options, 2_000)).toBe(false);
      expect(await batchesOf(bench(), message.id, 2_000)).toHaveLength(1);
      expect(await findMessage(bench(), message.id)).toMatchObject({ plannedCount: 1 });
    });

    test("what is not being sent gets no batches: scheduled, cancelled", async () => {
      const { store, projectId } = bench();
      await bench().add();
      const scheduled = bench().message();
      await store.messages.publish(scheduled, 1);
      const early = await findMessage(bench(), scheduled.id);
      expect(await store.delivery.planPart({ ...early, watermark: 1 }, options, 2_000)).toBe(false);
      const message = await startMessage(bench());
      await store.messages.cancel(projectId, message.id, 1_500);
      expect(await store.delivery.planPart(message, options, 2_000)).toBe(false);
      expect(await store.messages.progress(message.id)).toEqual([]);
      expect(await store.messages.progress(scheduled.id)).toEqual([]);
      expect(await findMessage(bench(), message.id)).toMatchObject({ plannedTo: 0 });
    });

    test("who has ended is not looked at, and leaves no hole at the end", async () => {
      const { store, add: addOne, projectId } = bench();
      const tokens = [await addOne(), await addOne(), await addOne(), await addOne()];
      const message = await startMessage(bench());
      for (const token of tokens.slice(1)) {
        const found = await store.registrations.find(projectId, token);
        await store.registrations.leave(found?.id ?? 0, 1_500);
      }
      expect(await store.delivery.planPart(message, { ...options, keys: 2 }, 2_000)).toBe(true);
      expect(await findMessage(bench(), message.id)).toMatchObject({
        plannedTo: 4,
        plannedCount: 1,
      });
    });

    test("a message without an audience is planned from the start, and ends", async () => {
      const { store } = bench();
      const message = await startMessage(bench());
      expect(message.watermark).toBe(0);
      expect(await store.delivery.nextToPlan(2_000)).toBeNull();
      expect(await store.delivery.planPart(message, options, 2_000)).toBe(false);
      expect(await store.delivery.finishMessages(2_000)).toEqual([message.id]);
    });

    test("parts of a topic are counted by who is in it; of a condition, by who is looked at", async () => {
      const { store, projectId } = bench();
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = await store.topics.find(projectId, "news");
      const tokens: string[] = [];
      for (let count = 0; count < 6; count += 1) tokens.push(await bench().add());
      const members = tokens.filter((_, index) => index === 0 || index > 3);
      await store.topics.changeMany({ projectId, topicId: topic?.id ?? 0 }, "join", members, 1);

      const toTopic = await startMessage(bench(), { target: { kind: "topic", topic: "news" } });
      await store.delivery.planPart(toTopic, { ...options, keys: 2 }, 2_000);
      expect(await findMessage(bench(), toTopic.id)).toMatchObject({
        plannedTo: 5,
        plannedCount: 2,
      });
      await planOn(bench(), toTopic.id, options);
      const ofTopic = await batchesOf(bench(), toTopic.id, 2_000);
      expect(ofTopic.map(({ ids }) => ids)).toEqual([[1, 5], [6]]);

      const target: MessageTarget = { kind: "condition", condition: "'news' in topics" };
      const toCondition = await startMessage(bench(), { target });
      const counts: [number, number][] = [];
      for (let part = 0; part < 3; part += 1) {
        const message = await findMessage(bench(), toCondition.id);
        expect(await store.delivery.planPart(message, { ...options, keys: 2 }, 2_000)).toBe(true);
        const { plannedTo, plannedCount } = await findMessage(bench(), toCondition.id);
        counts.push([plannedTo, plannedCount]);
      }
      expect(counts).toEqual([
        [2, 1],
        [4, 1],
        [6, 3],
      ]);
      const ofCondition = await batchesOf(bench(), toCondition.id, 2_000);
      expect(ofCondition.map(({ ids }) => ids)).toEqual([[1], [5, 6]]);
    });

    test("a user, a token and a list of tokens are their browsers and nobody else", async () => {
      const tokens = [await bench().add(), await bench().add(), await bench().add()];
      const [first = "", , third = ""] = tokens;
      await bench().bindUser(2, "baker");
      await bench().bindUser(3, "baker");
      // An earlier version accepted such an id.
      await bench().bindUser(1, "a\nb");
      const idsOf = async (target: MessageTarget) => {
        const message = await planMessage(bench(), { target });
        expect(message.plannedTo).toBe(3);
        return (await batchesOf(bench(), message.id, 2_000)).flatMap(({ ids }) => ids);
      };
      expect(await idsOf({ kind: "token", token: first })).toEqual([1]);
      expect(await idsOf({ kind: "tokens", tokens: [third, first, "unknown"] })).toEqual([1, 3]);
      expect(await idsOf({ kind: "user", userId: "baker" })).toEqual([2, 3]);
      expect(await idsOf({ kind: "user", userId: "a\nb" })).toEqual([1]);
      expect(await idsOf({ kind: "user", userId: "nobody" })).toEqual([]);
    });

    test("a local time makes a batch for each due time: time zones with the same share one", async () => {
      const { store } = bench();
      const zones = ["Asia/Tokyo", "Asia/Seoul", null, "Etc/UTC", "America/Lima", "Asia/Tokyo"];
      for (const timeZone of zones) await bench().add({ timeZone });
      const { id } = await startMessage(bench(), {
        localTime: "1970-01-01T00:00:06",
        scheduledAtMs: 2_000,
      });
      await planOn(bench(), id, { ...options, dueAt: dueInZone });
      expect(await leaseNext(store, 2_999, { messageId: id })).toBeNull();
      const east = await batchesOf(bench(), id, 3_000);
      expect(east).toEqual([expect.objectContaining({ dueAtMs: 3_000, ids: [1, 2, 6] })]);
      const rest = await batchesOf(bench(), id, 9_000);
      expect(rest).toEqual([
        expect.objectContaining({ dueAtMs: 6_000, ids: [3, 4] }),
        expect.objectContaining({ dueAtMs: 9_000, ids: [5] }),
      ]);
      expect(await store.messages.progress(id)).toMatchObject([{ planned: 6 }]);
    });

    test("who has passed a local time when it is published gets it at once, with all of its TTL", async () => {
      const { store, message } = bench();
      await bench().add({ timeZone: "Asia/Tokyo" });
      await bench().add({ timeZone: "Asia/Seoul" });
      const published = message({ localTime: "1970-01-01T00:00:06", scheduledAtMs: 2_000 });
      await store.messages.publish(published, 5_000_000);
      await store.delivery.startSending(published.id, 5_000_000);
      await planOn(bench(), published.id, { ...options, dueAt: dueInZone });
      expect(await batchesOf(bench(), published.id, 5_000_000)).toMatchObject([
        { dueAtMs: 5_000_000, ids: [1, 2] },
      ]);
    });

    test("a message that nobody can read is told by its id, and holds nobody up once it is cancelled", async () => {
      const { store, message } = bench();
      await bench().add();
      const unreadable: NewMessage = {
        ...message({ scheduledAtMs: 500 }),
        // @ts-expect-error this version knows no such kind
        target: { kind: "nobody" },
      };
      const well = message();
      await store.messages.publish(unreadable, 1);
      await store.messages.publish(well, 1);
      const error = await store.delivery.nextToPlan(2_000).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MessageUnreadable);
      expect(error).toMatchObject({ messageId: unreadable.id });
      expect(await store.delivery.cancelUnreadable(unreadable.id, 2_000)).toBe(true);
      expect(await store.delivery.cancelUnreadable(unreadable.id, 2_000)).toBe(false);
      expect(await store.delivery.nextToPlan(2_000)).toMatchObject({ id: well.id });
      expect(await store.messages.countByState()).toMatchObject({ cancelled: 1 });
    });
  });
}
