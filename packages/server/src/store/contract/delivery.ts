import { randomUUIDv7 } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Delivered, Message, NewMessage } from "../port.ts";
import { endAsGone, type ContractBench } from "./bench.ts";

const accepted = (registrationId: number): Delivered => ({
  registrationId,
  generation: 1,
  kind: "accepted",
});
const retry = (registrationId: number, dueAtMs: number, counted = true): Delivered => ({
  registrationId,
  generation: 1,
  kind: "retry",
  reason: "busy",
  detail: "429",
  dueAtMs,
  counted,
});

export function deliveryContract(bench: () => ContractBench): void {
  async function find({ id }: { id: string }): Promise<Message> {
    const message = await bench().store.messages.find(bench().projectId, id);
    if (message === null) throw new Error("the message is not there");
    return message;
  }

  /** Registers so many, publishes a message to all of them and starts sending it. */
  async function sending(count: number, over: Partial<NewMessage> = {}) {
    const tokens: string[] = [];
    for (let index = 0; index < count; index += 1) tokens.push(await bench().add());
    const message = bench().message(over);
    await bench().store.messages.publish(message, 1);
    expect(await bench().store.delivery.startSending(message.id, 1_000)).toBe(true);
    return { message: await find(message), tokens };
  }

  describe("messages", () => {
    test("are kept as they were published, after a restart too", async () => {
      const message = bench().message({
        target: { kind: "token", token: "abc" },
        notification: { title: "Olá", body: "ção 🔔", link: "/x", icon: "https://a.example/i.png" },
        urgency: "high",
      });
      await bench().store.messages.publish(message, 1);
      await bench().reopen();
      expect(await find(message)).toEqual({
        ...message,
        state: "scheduled",
        watermark: null,
        cursor: 0,
        counts: { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 },
        receipts: { displayed: 0, clicked: 0, closed: 0 },
      });
    });

    test("are listed, the latest first, so many and of their project alone", async () => {
      const { store, message, projectId } = bench();
      const { id: otherProject } = await store.projects.ensure("other", 1);
      // Ids sort by the millisecond they were made in; within one they do not.
      const all = [2, 3, 1].map((ms) =>
        message({ id: `0199c0de-000${ms}-7000-8000-000000000000` }),
      );
      for (const each of all) await store.messages.publish(each, 1);
      await store.messages.publish(message({ projectId: otherProject }), 1);
      const latest = await store.messages.list(projectId, 2);
      expect(latest.map(({ id }) => id)).toEqual([all[1]?.id, all[0]?.id]);
      expect(latest[0]).toEqual(await find({ id: all[1]?.id ?? "" }));
      expect(await store.messages.list(projectId, 9)).toHaveLength(3);
    });

    test("are of their project alone", async () => {
      const message = bench().message();
      await bench().store.messages.publish(message, 1);
      expect(await bench().store.messages.find(bench().projectId + 1, message.id)).toBeNull();
      expect(await bench().store.messages.find(bench().projectId, randomUUIDv7())).toBeNull();
    });
  });

  describe("delivery", () => {
    test("what is scheduled earlier is due first, and nothing before its time", async () => {
      const { store, message } = bench();
      const late = message({ scheduledAtMs: 3_000 });
      const early = message({ scheduledAtMs: 2_000 });
      await store.messages.publish(late, 1);
      await store.messages.publish(early, 1);
      expect(await store.delivery.nextDue(1_999, [])).toBeNull();
      expect(await store.delivery.nextDue(9_000, [])).toMatchObject({ id: early.id });
      expect(await store.delivery.startSending(late.id, 2_999)).toBe(false);
    });

    test("who has had no turn is next, then whose turn was longest ago", async () => {
      const { store, message, add } = bench();
      await add();
      const first = message({ scheduledAtMs: 700 });
      const second = message({ scheduledAtMs: 800 });
      const third = message({ scheduledAtMs: 900 });
      for (const each of [first, second, third]) await store.messages.publish(each, 1);
      await store.delivery.startSending(first.id, 1_000);
      await store.delivery.startSending(second.id, 1_000);
      const next = async (...worked: string[]) => (await store.delivery.nextDue(1_000, worked))?.id;
      expect(await next()).toBe(first.id);
      expect(await next(first.id)).toBe(second.id);
      expect(await next(first.id, second.id)).toBe(third.id);
      expect(await next("ended", second.id, first.id, third.id)).toBe(second.id);
      // One without work has no turn, wherever it stands.
      const delivered = [retry(1, 5_000)];
      await store.delivery.checkpoint({ messageId: second.id, from: 0, to: 1, delivered }, 1_000);
      expect(await next("ended", second.id, first.id, third.id)).toBe(first.id);
    });

    test("sending starts once, with the audience of that moment", async () => {
      const { message } = await sending(2);
      const { store, add } = bench();
      await add();
      expect(message).toMatchObject({ state: "sending", watermark: 2 });
      expect(await store.delivery.startSending(message.id, 1_001)).toBe(false);
      const page = await store.delivery.audiencePage(message, 0, 10);
      expect(page.map(({ registrationId }) => registrationId)).toEqual([1, 2]);
    });

    test("the audience comes in pages, without those who left, with all it takes to send", async () => {
      const { message, tokens } = await sending(5);
      const { store, projectId, vapidKeyId } = bench();
      const second = await store.registrations.find(projectId, tokens[1] ?? "");
      await store.registrations.leave(second?.id ?? 0, 1_001);
      const first = await store.delivery.audiencePage(message, 0, 2);
      expect(first.map(({ registrationId }) => registrationId)).toEqual([1, 3]);
      expect(first[0]).toEqual({
        registrationId: 1,
        token: tokens[0],
        generation: 1,
        endpoint: expect.stringContaining("https://push.example/"),
        p256dh: "p256dh",
        auth: "auth",
        vapidKeyId,
        pushOrigin: "https://push.example",
        origin: "https://site.example",
      });
      const rest = await store.delivery.audiencePage(message, 3, 10);
      expect(rest.map(({ registrationId }) => registrationId)).toEqual([4, 5]);
    });

    test("a message to a token has that one registration as its audience", async () => {
      const token = await bench().add();
      const { message } = await sending(2, { target: { kind: "token", token } });
      const page = await bench().store.delivery.audiencePage(message, 0, 10);
      expect(page.map(({ registrationId }) => registrationId)).toEqual([1]);
    });

    test("a checkpoint keeps cursor, counts and exceptions together, and counts once", async () => {
      const { message } = await sending(4);
      const delivered: Delivered[] = [
        accepted(1),
        { registrationId: 2, generation: 1, kind: "gone" },
        { registrationId: 3, generation: 1, kind: "rejected", reason: "too-large", detail: "" },
        retry(4, 5_000),
      ];
      const page = { messageId: message.id, from: 0, to: 4, delivered };
      expect(await bench().store.delivery.checkpoint(page, 2_000)).toBe(true);
      expect(await bench().store.delivery.checkpoint(page, 2_000)).toBe(false);
      await bench().reopen();
      expect(await find(message)).toMatchObject({
        cursor: 4,
        counts: { accepted: 1, gone: 1, retry: 1, rejected: 1, failed: 0 },
      });
    });

    test("gone ends the generation it was sent to, scrubbed; nothing else ends anything", async () => {
      const { message, tokens } = await sending(3);
      const { store, projectId } = bench();
      const delivered: Delivered[] = [
        { registrationId: 1, generation: 1, kind: "gone" },
        { registrationId: 2, generation: 1, kind: "rejected", reason: "vapid", detail: "" },
        { registrationId: 3, generation: 1, kind: "failed", reason: "odd", detail: "" },
      ];
      await store.delivery.checkpoint({ messageId: message.id, from: 0, to: 3, delivered }, 2_000);
      const found = await Promise.all(
        tokens.map((token) => store.registrations.find(projectId, token)),
      );
      expect(found.map((registration) => registration?.endReason)).toEqual(["gone", null, null]);
      expect(found[0]).toMatchObject({ subscription: null, clientSecretHash: expect.anything() });
    });

    test("a late gone leaves a newer generation alive, and owes it the message", async () => {
      const { message, tokens } = await sending(1);
      const { store, candidate, projectId } = bench();
      await store.registrations.register(candidate(), () => ({ kind: "renew", id: 1 }), 1_500);
      const delivered: Delivered[] = [{ registrationId: 1, generation: 1, kind: "gone" }];
      await store.delivery.checkpoint({ messageId: message.id, from: 0, to: 1, delivered }, 2_000);
      expect(await store.registrations.find(projectId, tokens[0] ?? "")).toMatchObject({
        generation: 2,
        endReason: null,
      });
      const due = await store.delivery.dueRetries(message, 2_000, 10);
      expect(due).toMatchObject([{ attempts: 1, recipient: { generation: 2 } }]);
    });

    test("retries come when they are due, and not for who has left", async () => {
      const { message, tokens } = await sending(3);
      const { store, projectId } = bench();
      const delivered = [retry(1, 5_000), retry(2, 4_000), retry(3, 6_000)];
      await store.delivery.checkpoint({ messageId: message.id, from: 0, to: 3, delivered }, 2_000);
      const second = await store.registrations.find(projectId, tokens[1] ?? "");
      await store.registrations.leave(second?.id ?? 0, 2_001);

      expect(await store.delivery.nextDue(3_999, [])).toBeNull();
      expect(await store.delivery.nextDue(4_000, [])).toMatchObject({ id: message.id });
      expect(await store.delivery.dueRetries(message, 3_999, 10)).toEqual([]);
      expect(await store.delivery.dueRetries(message, 5_000, 10)).toMatchObject([
        { registrationId: 2, attempts: 1, recipient: null },
        { registrationId: 1, attempts: 1, recipient: { registrationId: 1, generation: 1 } },
      ]);
      expect(await store.delivery.dueRetries(message, 5_000, 1)).toHaveLength(1);
    });

    test("what was no attempt is not counted as one, and can be written twice", async () => {
      const { message } = await sending(1);
      const { delivery } = bench().store;
      await delivery.checkpoint(
        { messageId: message.id, from: 0, to: 1, delivered: [retry(1, 5_000, false)] },
        2_000,
      );
      expect(await delivery.dueRetries(message, 5_000, 10)).toMatchObject([{ attempts: 0 }]);
      const settled = [{ attempts: 0, delivered: retry(1, 6_000, false) }];
      await delivery.settleRetries(message.id, settled, 5_000);
      await delivery.settleRetries(message.id, settled, 5_000);
      expect(await delivery.dueRetries(message, 5_999, 10)).toEqual([]);
      expect(await delivery.dueRetries(message, 6_000, 10)).toMatchObject([{ attempts: 0 }]);
      expect((await find(message)).counts).toMatchObject({ retry: 1 });
    });

    test("a retry is settled once", async () => {
      const { message } = await sending(3);
      const { store } = bench();
      const first = [retry(1, 5_000), retry(2, 5_000), retry(3, 5_000)];
      await store.delivery.checkpoint(
        { messageId: message.id, from: 0, to: 3, delivered: first },
        2_000,
      );
      const settled = [
        { attempts: 1, delivered: accepted(1) },
        { attempts: 1, delivered: retry(2, 9_000) },
        {
          attempts: 1,
          delivered: { ...accepted(3), kind: "failed", reason: "x", detail: "" } as Delivered,
        },
      ];
      await store.delivery.settleRetries(message.id, settled, 5_000);
      // Late answers to attempts that were settled already.
      const late = [accepted(1), accepted(2), { ...accepted(2), kind: "gone" } as Delivered];
      for (const delivered of late) {
        await store.delivery.settleRetries(message.id, [{ attempts: 1, delivered }], 5_000);
      }
      expect((await find(message)).counts).toEqual({
        accepted: 1,
        gone: 0,
        retry: 1,
        rejected: 0,
        failed: 1,
      });
      expect(await store.delivery.dueRetries(message, 9_000, 10)).toMatchObject([
        { registrationId: 2, attempts: 2 },
      ]);
    });

    test("is done when the audience is walked and no retry is left", async () => {
      const { message } = await sending(2);
      const { delivery } = bench().store;
      const walk = (from: number, to: number, delivered: Delivered[]) =>
        delivery.checkpoint({ messageId: message.id, from, to, delivered }, 2_000);
      await walk(0, 1, [retry(1, 5_000)]);
      expect(await delivery.finish(message.id, 2_000)).toBe(false);
      await walk(1, 2, [accepted(2)]);
      expect(await delivery.finish(message.id, 2_000)).toBe(false);
      const settled = [{ attempts: 1, delivered: accepted(1) }];
      await delivery.settleRetries(message.id, settled, 5_000);
      expect(await delivery.nextDue(5_000, [])).toMatchObject({ id: message.id });
      expect(await delivery.finish(message.id, 5_000)).toBe(true);
      expect(await delivery.finish(message.id, 5_000)).toBe(false);
      expect(await find(message)).toMatchObject({ state: "done" });
      expect(await delivery.nextDue(9_000, [])).toBeNull();
      expect(await walk(2, 3, [])).toBe(false);
    });

    test("a message without an audience is done at once", async () => {
      const { message } = await sending(0);
      expect(message.watermark).toBe(0);
      expect(await bench().store.delivery.finish(message.id, 2_000)).toBe(true);
    });

    test("expires when its TTL is over, and what was to be retried has failed", async () => {
      const { message } = await sending(1);
      const { delivery } = bench().store;
      await delivery.checkpoint(
        { messageId: message.id, from: 0, to: 1, delivered: [retry(1, 70_000)] },
        2_000,
      );
      const overAtMs = message.scheduledAtMs + message.ttlSeconds * 1000;
      expect(await delivery.expire(message.id, overAtMs - 1)).toBe(false);
      expect(await delivery.nextDue(overAtMs, [])).toMatchObject({ id: message.id });
      expect(await delivery.expire(message.id, overAtMs)).toBe(true);
      expect(await find(message)).toMatchObject({ state: "done", counts: { retry: 0, failed: 1 } });
      expect(await delivery.dueRetries(message, 99_000, 10)).toEqual([]);
    });

    test("a registration that was gone is not in the next audience", async () => {
      const { add, message, store } = bench();
      await add();
      await endAsGone(bench(), message(), 1, 1);
      await add();
      const next = message();
      await store.messages.publish(next, 1);
      await store.delivery.startSending(next.id, 1_000);
      const page = await store.delivery.audiencePage(await find(next), 0, 10);
      expect(page.map(({ registrationId }) => registrationId)).toEqual([2]);
    });
  });
}
