import { describe, expect, test } from "vitest";
import type { Message, NewMessage } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  leaseNext,
  leaseOf,
  mustLease,
  planOn,
  retry,
  writePage,
} from "./delivering.ts";

const [a, b] = ["https://a.example", "https://b.example"] as const;

/** What the clock said while it was wrong, and what it says since. */
const [wrongMs, rightMs] = [10_000_000, 1_000_000];
/** What lies no further ahead is not of another clock. */
const marginMs = 60_000;

export function clockContract(bench: () => ContractBench): void {
  const putBack = () => bench().store.delivery.clockPutBack(rightMs);

  /** Publishes a message under a clock that says so: to be sent at once, if nothing else is said. */
  async function publishAt(nowMs: number, over: Partial<NewMessage> = {}): Promise<Message> {
    const message = bench().message({ scheduledAtMs: nowMs, ttlSeconds: 3_600, ...over });
    await bench().store.messages.publish(message, nowMs);
    return findMessage(bench(), message.id);
  }

  async function startAt(nowMs: number, over: Partial<NewMessage> = {}): Promise<Message> {
    const { id } = await publishAt(nowMs, over);
    await bench().store.delivery.startSending(id, nowMs);
    return findMessage(bench(), id);
  }

  async function planAt(
    nowMs: number,
    over: Partial<NewMessage> = {},
    dueAt = () => nowMs,
  ): Promise<Message> {
    const { id } = await startAt(nowMs, over);
    return planOn(bench(), id, { keys: 1_000, dueAt });
  }

  async function pauseAt(nowMs: number): Promise<Message> {
    const { store, vapidKeyId, add } = bench();
    await add({ pushOrigin: a });
    const { id } = await planAt(nowMs);
    const breaker = { reason: "unavailable", detail: "", openedAtMs: 1, probeAtMs: 2 } as const;
    await store.breakers.open({ ...breaker, pushOrigin: a, vapidKeyId });
    await store.delivery.pauseHeld();
    return findMessage(bench(), id);
  }

  describe("a clock that is put back", () => {
    test.for([
      ["scheduled", publishAt],
      ["sending", startAt],
      ["paused", pauseAt],
    ] as const)("a message that was to be sent at once and is %s is due now", async (row) => {
      const [state, make] = row;
      const before = await make(wrongMs);
      expect(before.state).toBe(state);
      await putBack();
      const after = { ...before, scheduledAtMs: rightMs, createdAtMs: rightMs };
      expect(await findMessage(bench(), before.id)).toEqual(after);
    });

    test("a moment that somebody named, a local time, and what has ended stay as they are", async () => {
      const { store, projectId } = bench();
      const cancelled = await publishAt(wrongMs);
      await store.messages.cancel(projectId, cancelled.id, wrongMs);
      const done = await startAt(wrongMs);
      await store.delivery.finishMessages(wrongMs);
      const messages = [
        cancelled,
        done,
        await publishAt(wrongMs, { scheduledAtMs: wrongMs + 1 }),
        await publishAt(wrongMs, { localTime: "1970-01-01T00:00:06" }),
      ];
      const find = () => Promise.all(messages.map(({ id }) => findMessage(bench(), id)));
      const before = await find();
      expect(before.map(({ state }) => state)).toEqual([
        "cancelled",
        "done",
        "scheduled",
        "scheduled",
      ]);
      await putBack();
      expect(await find()).toEqual(before);
    });

    test("what is ahead by chance, or was published before, stays too", async () => {
      const before = await publishAt(rightMs - 1);
      const chance = await publishAt(rightMs + marginMs);
      const wrong = await publishAt(rightMs + marginMs + 1);
      await putBack();
      expect(await findMessage(bench(), before.id)).toEqual(before);
      expect(await findMessage(bench(), chance.id)).toEqual(chance);
      expect(await findMessage(bench(), wrong.id)).toMatchObject({ scheduledAtMs: rightMs });
    });

    test("a batch that was due is due now, and has all of its time", async () => {
      await bench().add();
      await planAt(wrongMs);
      await putBack();
      const { store } = bench();
      const batch = await mustLease(store, rightMs);
      expect(batch.dueAtMs).toBe(rightMs);
      await store.delivery.release(leaseOf(batch));
      expect(await store.delivery.expireBatches(rightMs + 3_599_999)).toBe(0);
      expect(await store.delivery.expireBatches(rightMs + 3_600_000)).toBe(1);
    });

    test("a batch that waits for a local time, or was due before, stays as it is", async () => {
      const { store, add } = bench();
      await add();
      const early = await planAt(rightMs - 500_000);
      const localTime = "1970-01-01T02:46:40";
      const local = await planAt(rightMs - 1, { localTime }, () => wrongMs);
      await putBack();
      const batch = await mustLease(store, rightMs, { messageId: early.id });
      expect(batch.dueAtMs).toBe(early.scheduledAtMs);
      await store.delivery.release(leaseOf(batch));
      expect(await store.delivery.expireBatches(rightMs + 3_099_999)).toBe(0);
      expect(await store.delivery.expireBatches(rightMs + 3_100_000)).toBe(1);
      expect(await leaseNext(store, wrongMs - 1, { messageId: local.id })).toBeNull();
      expect(await mustLease(store, wrongMs, { messageId: local.id })).toMatchObject({
        dueAtMs: wrongMs,
      });
    });

    test("a retry waits for as long as was meant, and its batch for the first of them", async () => {
      const { store, add } = bench();
      const { delivery } = store;
      for (const pushOrigin of [a, a, a, a, b]) await add({ pushOrigin });
      const message = await planAt(rightMs - 100_000, { ttlSeconds: 86_400 });
      const first = await mustLease(store, rightMs - 100_000, { pushOrigin: a });
      const before = { to: 1, walked: [retry(1, rightMs + 500_000)] };
      await writePage(store, first, before, rightMs - 50_000);
      const rest = await mustLease(store, wrongMs, { pushOrigin: a });
      const walked = [retry(2, wrongMs + 30_000), retry(3, wrongMs + 900_000), accepted(4)];
      await writePage(store, rest, { walked }, wrongMs);
      const elsewhere = await mustLease(store, wrongMs, { pushOrigin: b });
      await writePage(store, elsewhere, { walked: [retry(5, wrongMs + 20_000)] }, wrongMs);
      await putBack();

      expect(await leaseNext(store, rightMs + 19_999)).toBeNull();
      expect(await mustLease(store, rightMs + 20_000)).toMatchObject({ pushService: b });
      expect(await leaseNext(store, rightMs + 29_999)).toBeNull();
      const batch = await mustLease(store, rightMs + 30_000);
      const dueAt = async (nowMs: number) =>
        (await delivery.dueRetries(batch, message, nowMs, 10)).map(
          ({ registrationId, changedAtMs }) => [registrationId, changedAtMs],
        );
      const [second, last] = [
        [2, rightMs],
        [1, rightMs - 50_000],
      ];
      expect(await dueAt(rightMs + 29_999)).toEqual([]);
      expect(await dueAt(rightMs + 499_999)).toEqual([second]);
      expect(await dueAt(rightMs + 899_999)).toEqual([second, last]);
      expect(await dueAt(rightMs + 900_000)).toEqual([second, last, [3, rightMs]]);
    });

    test("who moved under the wrong clock waits for the local time all the same", async () => {
      const { store, add, candidate } = bench();
      await add({ pushOrigin: a });
      const dueMs = 2 * wrongMs;
      const localTime = "1970-01-01T05:33:20";
      const message = await planAt(rightMs - 1, { localTime }, () => dueMs);
      const moved = candidate({ pushOrigin: b });
      await store.registrations.register(moved, () => ({ kind: "renew", id: 1 }), wrongMs);
      await putBack();
      expect(await leaseNext(store, dueMs - 1, { pushOrigin: b })).toBeNull();
      const batch = await mustLease(store, dueMs, { pushOrigin: b });
      expect(await store.delivery.dueRetries(batch, message, dueMs, 10)).toMatchObject([
        { registrationId: 1, changedAtMs: rightMs },
      ]);
    });
  });
}
