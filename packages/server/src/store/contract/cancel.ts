import { describe, expect, test } from "vitest";
import type { Message, OutcomeCounts, Store } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  leaseNext,
  mustLease,
  planMessage,
  planOn,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";

const idle = "https://idle.example";
const busy = "https://busy.example";

/** @param openAnother another store on the same database, as another process has one */
export function cancelContract(
  bench: () => ContractBench,
  openAnother: () => Promise<Store>,
): void {
  const cancel = (id: string, nowMs: number, from: Store = bench().store) =>
    from.messages.cancel(bench().projectId, id, nowMs);

  /** By the state that it leads a message to. */
  const leading: Record<Message["state"], () => Promise<string>> = {
    async scheduled() {
      const message = bench().message();
      await bench().store.messages.publish(message, 1);
      return message.id;
    },
    async sending() {
      return (await startMessage(bench())).id;
    },
    async paused() {
      const { store, vapidKeyId, add } = bench();
      await add({ pushOrigin: busy });
      const breaker = {
        reason: "unavailable",
        detail: "",
        openedAtMs: 1,
        probeAtMs: 9_000,
      } as const;
      await store.breakers.open({ ...breaker, pushOrigin: busy, vapidKeyId });
      const { id } = await planMessage(bench());
      await store.delivery.pauseHeld();
      return id;
    },
    async done() {
      const { id } = await startMessage(bench());
      await bench().store.delivery.finishMessages(1_500);
      return id;
    },
    async cancelled() {
      const { id } = await startMessage(bench());
      await cancel(id, 1_500);
      return id;
    },
  };

  /**
   * A message to four: of the push origin `idle` the first is to be tried again; of `busy` the second is, the third and
   * the fourth wait, and somebody works on them until 66,000.
   */
  async function halfSent() {
    const { store, add } = bench();
    await add({ pushOrigin: idle });
    for (let count = 0; count < 3; count += 1) await add({ pushOrigin: busy });
    const { id } = await planMessage(bench(), { ttlSeconds: 3_600 });
    const first = await mustLease(store, 1_000, { pushOrigin: idle });
    await writePage(store, first, { walked: [retry(1, 5_000)] }, 2_000);
    const second = await mustLease(store, 2_000, { pushOrigin: busy });
    await writePage(store, second, { to: 2, walked: [retry(2, 5_000)] }, 2_000);
    const worked = await mustLease(store, 6_000, { pushOrigin: busy });
    return { id, worked };
  }

  /** The message's own figures by push service, and that they are those of the message. */
  async function countsOf(id: string): Promise<Record<string, Partial<OutcomeCounts>>> {
    const { counts } = await findMessage(bench(), id);
    const parts = await bench().store.messages.progress(id);
    for (const kind of ["accepted", "gone", "retry", "rejected", "failed"] as const) {
      const sum = parts.reduce((before, part) => before + part.counts[kind], 0);
      expect({ [kind]: sum }).toEqual({ [kind]: counts[kind] });
    }
    return Object.fromEntries(parts.map((part) => [part.pushService, figures(part.counts)]));
  }

  const reasonsOf = async (id: string) =>
    (await bench().store.messages.reasons(id)).map(({ pushOrigin, kind, reason, count }) => [
      pushOrigin,
      kind,
      reason,
      count,
    ]);

  describe("cancelling", () => {
    test.for(["scheduled", "sending", "paused"] as const)(
      "ends a message that is %s, once",
      async (state) => {
        const id = await leading[state]();
        const before = await findMessage(bench(), id);
        expect(before.state).toBe(state);
        expect(await cancel(id, 2_000)).toBe(true);
        const after = { ...before, state: "cancelled", endedAtMs: 2_000 };
        expect(await findMessage(bench(), id)).toEqual(after);
        await bench().reopen();
        expect(await cancel(id, 3_000)).toBe(false);
        expect(await findMessage(bench(), id)).toEqual(after);
      },
    );

    test.for(["done", "cancelled"] as const)("changes nothing of one that is %s", async (state) => {
      const id = await leading[state]();
      const before = await findMessage(bench(), id);
      expect(before.state).toBe(state);
      expect(await cancel(id, 2_000)).toBe(false);
      expect(await findMessage(bench(), id)).toEqual(before);
    });

    test("is for the project's own messages", async () => {
      const { store, projectId, message } = bench();
      const own = message();
      await store.messages.publish(own, 1);
      expect(await store.messages.cancel(projectId + 1, own.id, 2_000)).toBe(false);
      expect(await cancel(message().id, 2_000)).toBe(false);
      expect((await findMessage(bench(), own.id)).state).toBe("scheduled");
    });

    test("by two stores at once ends it once", async () => {
      const id = await leading.sending();
      const another = await openAnother();
      const results = await Promise.all([cancel(id, 2_000), cancel(id, 3_000, another)]);
      await another.close();
      expect(results.toSorted()).toEqual([false, true]);
      const { endedAtMs } = await findMessage(bench(), id);
      expect(endedAtMs).toBe(results[0] ? 2_000 : 3_000);
    });

    test("leaves nothing to start, to plan or to send", async () => {
      const { store, message, add } = bench();
      for (let count = 0; count < 4; count += 1) await add();
      const waiting = message();
      await store.messages.publish(waiting, 1);
      const started = await startMessage(bench());
      const options = { keys: 2, dueAt: () => 1_000 };
      expect(await store.delivery.planPart(started, options, 1_000)).toBe(true);
      const halfPlanned = await findMessage(bench(), started.id);
      expect(await leaseNext(store, 1_000, { owner: "looks" })).not.toBeNull();
      await store.delivery.releaseAll();
      for (const id of [waiting.id, started.id]) await cancel(id, 2_000);

      expect(await store.delivery.startSending(waiting.id, 2_000)).toBe(false);
      expect(await store.delivery.nextToPlan(2_000)).toBeNull();
      expect(await store.delivery.planPart(halfPlanned, options, 2_000)).toBe(false);
      expect(await leaseNext(store, 2_000)).toBeNull();
      expect(await store.delivery.finishMessages(99_000)).toEqual([]);
    });

    test("fails the retries of who is not worked on, of this message alone", async () => {
      const { store } = bench();
      const { id } = await halfSent();
      const { id: other } = await planMessage(bench(), { ttlSeconds: 3_600 });
      const batch = await mustLease(store, 6_000, { messageId: other, pushOrigin: idle });
      await writePage(store, batch, { walked: [retry(1, 9_000)] }, 6_000);
      expect(await cancel(id, 7_000)).toBe(true);
      expect(await countsOf(id)).toEqual({ [idle]: { failed: 1 }, [busy]: { retry: 1 } });
      expect(await reasonsOf(id)).toEqual([
        [busy, "retry", "busy", 1],
        [idle, "failed", "cancelled", 1],
      ]);
      expect(await countsOf(other)).toEqual({ [idle]: { retry: 1 }, [busy]: {} });
      expect(await reasonsOf(other)).toEqual([[idle, "retry", "busy", 1]]);
      expect(await leaseNext(store, 7_000, { messageId: other, pushOrigin: busy })).not.toBeNull();
    });

    test("counts what is on its way; what is left to be tried again has failed then", async () => {
      const { id, worked } = await halfSent();
      await cancel(id, 7_000);
      await bench().reopen();
      const page = { walked: [accepted(3), retry(4, 9_000)] };
      expect(await writePage(bench().store, worked, page, 8_000)).toMatchObject({ done: true });
      const ended = { [idle]: { failed: 1 }, [busy]: { accepted: 1, failed: 2 } };
      expect(await countsOf(id)).toEqual(ended);
      expect(await reasonsOf(id)).toEqual([
        [busy, "failed", "cancelled", 2],
        [idle, "failed", "cancelled", 1],
      ]);
      // Once.
      expect(await writePage(bench().store, worked, page, 8_000)).toBeNull();
      expect(await countsOf(id)).toEqual(ended);
    });

    test("leaves to each who works on it what is theirs", async () => {
      const { store } = bench();
      const { id, worked } = await halfSent();
      const other = await mustLease(store, 6_000, { pushOrigin: idle });
      await cancel(id, 7_000);
      expect(await countsOf(id)).toEqual({ [idle]: { retry: 1 }, [busy]: { retry: 1 } });
      await writePage(store, worked, { walked: [accepted(3), accepted(4)] }, 8_000);
      expect(await countsOf(id)).toEqual({
        [idle]: { retry: 1 },
        [busy]: { accepted: 2, failed: 1 },
      });
      const retried = [{ attempts: 1, delivered: accepted(1) }];
      await writePage(store, other, { retried }, 8_000);
      expect(await countsOf(id)).toEqual({
        [idle]: { accepted: 1 },
        [busy]: { accepted: 2, failed: 1 },
      });
    });

    test("a retry on its way is settled as it was answered", async () => {
      const { store } = bench();
      const { id, worked } = await halfSent();
      await cancel(id, 7_000);
      const retried = [{ attempts: 1, delivered: accepted(2) }];
      await writePage(store, worked, { to: 4, walked: [accepted(3), accepted(4)], retried }, 8_000);
      expect(await countsOf(id)).toEqual({ [idle]: { failed: 1 }, [busy]: { accepted: 3 } });
    });

    test("where a lease has ended its retries fail, and a late page is counted beside them", async () => {
      const { store } = bench();
      const { id, worked } = await halfSent();
      await cancel(id, 66_000);
      expect(await countsOf(id)).toEqual({ [idle]: { failed: 1 }, [busy]: { failed: 1 } });
      const retried = [{ attempts: 1, delivered: accepted(2) }];
      await writePage(store, worked, { walked: [accepted(3), accepted(4)], retried }, 67_000);
      expect(await countsOf(id)).toEqual({
        [idle]: { failed: 1 },
        [busy]: { failed: 1, accepted: 2 },
      });
    });

    test("whose worker does not come back, the retries fail when its lease ends", async () => {
      const { store } = bench();
      const { id } = await halfSent();
      await cancel(id, 7_000);
      await store.delivery.expireBatches(65_999);
      expect(await countsOf(id)).toEqual({ [idle]: { failed: 1 }, [busy]: { retry: 1 } });
      await store.delivery.expireBatches(66_000);
      expect(await countsOf(id)).toEqual({ [idle]: { failed: 1 }, [busy]: { failed: 1 } });
      expect(await reasonsOf(id)).toEqual([
        [busy, "failed", "cancelled", 1],
        [idle, "failed", "cancelled", 1],
      ]);
    });

    test("who moves meanwhile is owed nothing of it", async () => {
      const { store, candidate, add } = bench();
      await add({ pushOrigin: idle });
      const { id } = await planMessage(bench());
      await cancel(id, 2_000);
      const elsewhere = candidate({ pushOrigin: busy });
      await store.registrations.register(elsewhere, () => ({ kind: "renew", id: 1 }), 3_000);
      expect(await leaseNext(store, 3_000)).toBeNull();
      await planOn(bench(), id, { keys: 10, dueAt: () => 1_000 });
      expect(await countsOf(id)).toEqual({ [idle]: {} });
    });
  });
}

/** Without zeros. */
function figures(counts: OutcomeCounts): Partial<OutcomeCounts> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}
