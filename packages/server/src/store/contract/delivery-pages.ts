import { describe, expect, test } from "vitest";
import type { Batch, NewMessage } from "../port.ts";
import { endAsGone, type ContractBench } from "./bench.ts";
import {
  type Came,
  accepted,
  findMessage,
  gone,
  leaseNext,
  leaseOf,
  mustLease,
  none,
  planMessage,
  refused,
  retry,
  writePage,
} from "./delivering.ts";

/** With what is kept of it with the registration. */
const mark = (delivered: Came, isRefused: boolean): Came => ({
  ...delivered,
  refused: isRefused,
});

const idsOf = (page: { registrationId: number }[]) => page.map((each) => each.registrationId);

export function pageContract(bench: () => ContractBench): void {
  /** So many registrations, a message to all of them that is planned, and its first batch leased. */
  async function leased(count: number, over: Partial<NewMessage> = {}) {
    const tokens: string[] = [];
    for (let index = 0; index < count; index += 1) tokens.push(await bench().add());
    const message = await planMessage(bench(), over);
    return { message, tokens, batch: await mustLease(bench().store, 1_000) };
  }

  async function pageOf(batch: Batch, limit = 10) {
    const message = await findMessage(bench(), batch.messageId);
    return bench().store.delivery.batchPage(batch, message, limit);
  }
  async function dueOf(batch: Batch, nowMs: number, limit = 10) {
    const message = await findMessage(bench(), batch.messageId);
    return bench().store.delivery.dueRetries(batch, message, nowMs, limit);
  }
  const countsOf = async (id: string) => (await findMessage(bench(), id)).counts;
  async function leave(token: string | undefined) {
    const { store, projectId } = bench();
    const found = await store.registrations.find(projectId, token ?? "");
    await store.registrations.leave(found?.id ?? 0, 1_001);
  }
  async function renew(id: number) {
    const { store, candidate } = bench();
    await store.registrations.register(candidate(), () => ({ kind: "renew", id }), 1_500);
  }

  describe("pages of a batch", () => {
    test("come by ascending id, without those who left, with all it takes to send", async () => {
      const { batch, tokens } = await leased(5);
      await leave(tokens[1]);
      const first = await pageOf(batch, 2);
      expect(idsOf(first)).toEqual([1, 3]);
      expect(first[0]).toEqual({
        registrationId: 1,
        token: tokens[0],
        generation: 1,
        endpoint: expect.stringContaining("https://push.example/"),
        p256dh: "p256dh",
        auth: "auth",
        vapidKeyId: bench().vapidKeyId,
        pushOrigin: "https://push.example",
        origin: "https://site.example",
        refusedAtMs: null,
      });
      await writePage(bench().store, batch, { to: 3, walked: [accepted(1), accepted(3)] }, 1_001);
      const rest = await mustLease(bench().store, 1_001);
      expect(rest).toEqual({ ...batch, cursor: 3, lane: batch.onlyOrigins?.[0], epoch: 2 });
      expect(idsOf(await pageOf(rest))).toEqual([4, 5]);
    });

    test("hold who is in the topic when their turn comes", async () => {
      const { store, projectId } = bench();
      await store.topics.add(projectId, { name: "news", policy: "open" }, 1);
      const topic = { projectId, topicId: (await store.topics.find(projectId, "news"))?.id ?? 0 };
      const tokens: string[] = [];
      for (let count = 0; count < 4; count += 1) tokens.push(await bench().add());
      const [early = "", , late = "", stays = ""] = tokens;
      await store.topics.changeMany(topic, "join", [early, stays], 1);
      const message = await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      expect(message.plannedCount).toBe(2);
      const batch = await mustLease(store, 1_000);
      await store.topics.changeMany(topic, "leave", [early], 2);
      await store.topics.changeMany(topic, "join", [late], 2);
      expect(idsOf(await pageOf(batch))).toEqual([3, 4]);
      // Who left was planned for and stays unsent. Who came counts as planned where there is no room left.
      await writePage(store, batch, { walked: [accepted(3), accepted(4)] }, 1_001);
      expect(await findMessage(bench(), message.id)).toMatchObject({ plannedCount: 2 });
      const another = await planMessage(bench(), { target: { kind: "topic", topic: "news" } });
      await store.topics.changeMany(topic, "join", [early], 2);
      const all = [accepted(1), accepted(3), accepted(4)];
      await writePage(store, await mustLease(store, 1_001), { walked: all }, 1_001);
      expect(await findMessage(bench(), another.id)).toMatchObject({ plannedCount: 3 });
      expect(await store.messages.progress(another.id)).toMatchObject([{ planned: 3 }]);
    });
  });

  /** Since when each is refused, as the next message to all meets them. */
  async function refusedAt() {
    const { id } = await planMessage(bench());
    const batch = await mustLease(bench().store, 9_000, { messageId: id });
    return (await pageOf(batch)).map((each) => each.refusedAtMs);
  }

  test("what was put off under a clock that is put back before it is written is due as it was meant", async () => {
    const { batch } = await leased(3);
    const hours = 7_200_000;
    const ahead = retry(1, 2_000 + hours, true, 1_500 + hours);
    const walked = [ahead, retry(2, 2_200, true, 1_500), retry(3, 2_400)];
    await writePage(bench().store, batch, { walked }, 1_600);
    const again = await mustLease(bench().store, 2_500);
    expect(idsOf(await dueOf(again, 2_099))).toEqual([]);
    // 500 ms after it was set, counted from when it is written.
    expect(idsOf(await dueOf(again, 2_100))).toEqual([1]);
    expect(idsOf(await dueOf(again, 2_400))).toEqual([1, 2, 3]);
  });

  describe("who is refused for what may be their own fault", () => {
    test("stays known until something is accepted, from the first refusal on", async () => {
      const { batch } = await leased(4, { ttlSeconds: 600 });
      const walked = [
        accepted(1),
        mark(refused(2, "rejected", "vapid-refused"), true),
        mark(retry(3, 5_000), true),
        refused(4),
      ];
      await writePage(bench().store, batch, { walked }, 2_000);
      expect(await refusedAt()).toEqual([null, 2_000, 2_000, null]);
      const again = await mustLease(bench().store, 5_000, { messageId: batch.messageId });
      const retried = [{ attempts: 1, delivered: mark(retry(3, 6_000), true) }];
      await writePage(bench().store, again, { retried }, 5_001);
      await bench().reopen();
      expect(await refusedAt()).toEqual([null, 2_000, 2_000, null]);
      const last = await mustLease(bench().store, 6_000, { messageId: batch.messageId });
      const taken = [{ attempts: 2, delivered: mark(accepted(3), false) }];
      await writePage(bench().store, last, { retried: taken }, 6_001);
      expect(await refusedAt()).toEqual([null, 2_000, null, null]);
    });

    test("is who was sent to: a subscription that is new is not", async () => {
      const { batch } = await leased(2);
      await renew(1);
      const walked = [mark(refused(1), true), mark(refused(2), true)];
      await writePage(bench().store, batch, { walked }, 2_000);
      expect(await refusedAt()).toEqual([null, 2_000]);
      await renew(2);
      expect(await refusedAt()).toEqual([null, null]);
    });

    test("changes nothing where the page came too late", async () => {
      const { batch } = await leased(1);
      await bench().store.delivery.release(leaseOf(batch));
      const page = { walked: [mark(refused(1), true)] };
      expect(await writePage(bench().store, batch, page, 2_000)).toBeNull();
      expect(await refusedAt()).toEqual([null]);
    });
  });

  describe("checkpoints", () => {
    test("keep cursor, counts and exceptions together, and count once", async () => {
      const { batch, message } = await leased(5);
      const walked = [accepted(1), gone(2), refused(3), retry(4, 5_000), refused(5, "failed")];
      const counts = { accepted: 1, gone: 1, retry: 1, rejected: 1, failed: 1 };
      const page = { walked };
      expect(await writePage(bench().store, batch, page, 2_000)).toMatchObject({
        counts,
        done: false,
      });
      expect(await writePage(bench().store, batch, page, 2_000)).toBeNull();
      await bench().reopen();
      expect(await countsOf(message.id)).toEqual(counts);
      expect(await bench().store.messages.progress(message.id)).toEqual([
        { pushService: "https://push.example", planned: 5, counts },
      ]);
      expect(await mustLease(bench().store, 5_000)).toMatchObject({ id: batch.id, cursor: 5 });
    });

    test("write nothing where the cursor stands elsewhere, or the lease is another's", async () => {
      const { batch, message } = await leased(3);
      const { store } = bench();
      const page = { walked: [accepted(1), accepted(2)] };
      expect(await writePage(store, { ...batch, cursor: 1 }, page, 2_000)).toBeNull();
      expect(await writePage(store, batch, { ...page, owner: "other" }, 2_000)).toBeNull();
      await store.delivery.release(leaseOf(batch));
      expect(await writePage(store, batch, page, 2_000)).toBeNull();
      expect(await countsOf(message.id)).toEqual(none);
      // The old owner's page, after the batch was rescued and half of it written.
      const rescued = await mustLease(store, 2_000, { owner: "other" });
      await writePage(store, rescued, { owner: "other", to: 1, walked: [accepted(1)] }, 2_000);
      const again = await mustLease(store, 2_000, { owner: "owner" });
      expect(await writePage(store, batch, page, 2_000)).toBeNull();
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 1 });
      expect(again.cursor).toBe(1);
    });

    test("of two processes at once: one is written", async () => {
      const { batch, message } = await leased(1);
      const another = await bench().openAnother();
      const page = { walked: [accepted(1)] };
      expect(await writePage(bench().store, batch, page, 2_000)).not.toBeNull();
      expect(await writePage(another, batch, page, 2_000)).toBeNull();
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 1 });
    });

    test("gone ends the generation it was sent to, scrubbed; nothing else ends anything", async () => {
      const { batch, tokens } = await leased(3);
      const { store, projectId } = bench();
      const walked = [gone(1), refused(2, "rejected", "vapid"), refused(3, "failed", "odd")];
      await writePage(store, batch, { walked }, 2_000);
      const found = await Promise.all(
        tokens.map((token) => store.registrations.find(projectId, token)),
      );
      expect(found.map((registration) => registration?.endReason)).toEqual(["gone", null, null]);
      expect(found[0]).toMatchObject({ subscription: null, clientSecretHash: expect.anything() });
    });

    test("a late gone leaves a newer generation alive, and owes it the message", async () => {
      const { batch, tokens } = await leased(1);
      const { store, projectId } = bench();
      await renew(1);
      const written = await writePage(store, batch, { walked: [gone(1)] }, 2_000);
      expect(written).toMatchObject({ counts: { ...none, retry: 1 }, done: false });
      expect(await store.registrations.find(projectId, tokens[0] ?? "")).toMatchObject({
        generation: 2,
        endReason: null,
      });
      const again = await mustLease(store, 2_000);
      expect(await dueOf(again, 2_000)).toMatchObject([
        { attempts: 1, recipient: { generation: 2 } },
      ]);
    });

    test("who left before their gone came is gone from the message alone", async () => {
      const { batch, tokens, message } = await leased(1);
      const { store, projectId } = bench();
      await leave(tokens[0]);
      await writePage(store, batch, { walked: [gone(1)] }, 2_000);
      expect(await countsOf(message.id)).toEqual({ ...none, gone: 1 });
      const found = await store.registrations.find(projectId, tokens[0] ?? "");
      expect(found?.endReason).toBe("left");
    });

    test("a registration that was gone is not in the next audience", async () => {
      const { add, message, store } = bench();
      await add();
      await endAsGone(bench(), message(), 1, 1);
      await add();
      await planMessage(bench());
      expect(idsOf(await pageOf(await mustLease(store, 1_000)))).toEqual([2]);
    });
  });

  describe("retries", () => {
    test("come when they are due, longest due first, and not for who has left", async () => {
      const { batch, tokens } = await leased(3);
      const { store } = bench();
      const walked = [retry(1, 5_000), retry(2, 4_000), retry(3, 6_000)];
      await writePage(store, batch, { walked }, 2_000);
      await leave(tokens[1]);
      expect(await leaseNext(store, 3_999)).toBeNull();
      const again = await mustLease(store, 4_000);
      expect(await pageOf(again)).toEqual([]);
      expect(await dueOf(again, 3_999)).toEqual([]);
      expect(await dueOf(again, 5_000)).toMatchObject([
        { registrationId: 2, attempts: 1, recipient: null },
        { registrationId: 1, attempts: 1, recipient: { registrationId: 1, generation: 1 } },
      ]);
      expect(await dueOf(again, 5_000, 1)).toHaveLength(1);
    });

    test("who has one is not met by the walk again", async () => {
      const { batch } = await leased(2);
      await writePage(bench().store, batch, { to: 1, walked: [retry(1, 1_500)] }, 1_200);
      const again = await mustLease(bench().store, 2_000);
      expect(again.cursor).toBe(1);
      expect(idsOf(await pageOf({ ...again, cursor: 0 }))).toEqual([2]);
      expect(idsOf(await dueOf(again, 2_000))).toEqual([1]);
    });

    test("what was no attempt is not counted as one", async () => {
      const { batch } = await leased(1);
      const { store } = bench();
      await writePage(store, batch, { walked: [retry(1, 5_000, false)] }, 2_000);
      const again = await mustLease(store, 5_000);
      expect(await dueOf(again, 5_000)).toMatchObject([{ attempts: 0 }]);
      const retried = [{ attempts: 0, delivered: retry(1, 6_000, false) }];
      expect(await writePage(store, again, { retried }, 5_000)).toMatchObject({
        counts: { ...none, retry: 1 },
        done: false,
      });
      expect(await leaseNext(store, 5_999)).toBeNull();
      expect(await dueOf(await mustLease(store, 6_000), 6_000)).toMatchObject([{ attempts: 0 }]);
      expect((await countsOf(batch.messageId)).retry).toBe(1);
    });

    test("are settled once, where the attempts stand as they were read", async () => {
      const { batch, message } = await leased(4);
      const { store } = bench();
      const walked = [1, 2, 3, 4].map((id) => retry(id, 5_000));
      await writePage(store, batch, { walked }, 2_000);
      const settled = [accepted(1), retry(2, 9_000), refused(3, "failed"), gone(4)];
      const retried = settled.map((delivered) => ({ attempts: 1, delivered }));
      const again = await mustLease(store, 5_000);
      const counts = { ...none, accepted: 1, retry: 1, failed: 1, gone: 1 };
      expect(await writePage(store, again, { retried }, 5_000)).toMatchObject({
        counts,
        done: false,
      });
      // Late answers to attempts that were settled already.
      const late: Came[] = [accepted(1), accepted(2), refused(3), accepted(4)];
      const once = await mustLease(store, 9_000);
      expect(
        await writePage(
          store,
          once,
          { retried: late.map((delivered) => ({ attempts: 1, delivered })) },
          9_000,
        ),
      ).toMatchObject({ counts: none, done: false });
      expect(await countsOf(message.id)).toEqual(counts);
      expect(await store.messages.progress(message.id)).toMatchObject([{ planned: 4, counts }]);
      expect(await dueOf(await mustLease(store, 9_000), 9_000)).toMatchObject([
        { registrationId: 2, attempts: 2 },
      ]);
    });

    test("a batch ends when it is walked and no retry is left", async () => {
      const { batch, message } = await leased(2);
      const { store } = bench();
      const first = await writePage(store, batch, { to: 1, walked: [retry(1, 5_000)] }, 2_000);
      expect(first?.done).toBe(false);
      const second = await mustLease(store, 2_000);
      const walked = await writePage(store, second, { walked: [accepted(2)] }, 2_000);
      expect(walked?.done).toBe(false);
      expect(await store.delivery.finishMessages(2_000)).toEqual([]);
      const third = await mustLease(store, 5_000);
      const retried = [{ attempts: 1, delivered: accepted(1) }];
      expect((await writePage(store, third, { retried }, 5_000))?.done).toBe(true);
      expect(await leaseNext(store, 9_000)).toBeNull();
      expect(await countsOf(message.id)).toEqual({ ...none, accepted: 2 });
    });

    test("a walk that goes on has its retries in between", async () => {
      const { batch } = await leased(3);
      const { store } = bench();
      await writePage(store, batch, { to: 1, walked: [retry(1, 1_500)] }, 1_200);
      const again = await mustLease(store, 2_000);
      const retried = [{ attempts: 1, delivered: accepted(1) }];
      const page = { to: 2, walked: [accepted(2)], retried };
      expect(await writePage(store, again, page, 2_000)).toMatchObject({
        counts: { ...none, accepted: 2 },
        done: false,
      });
      expect(await mustLease(store, 2_000)).toMatchObject({ cursor: 2 });
    });
  });
}
