import { describe, expect, test } from "vitest";
import type { Asker, DeliveryHold, HoldStore, NewMessage, ResumeOptions } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { findMessage, mustLease, planMessage, retry, writePage } from "./delivering.ts";

const hourMs = 3_600_000;
/** When the back-up was made; the server was started on it a day later. */
const sinceMs = 10 * 24 * hourMs;
const nowMs = sinceMs + 24 * hourMs;
const restored: DeliveryHold = { reason: "restored", sinceMs };
const asker: Asker = { actor: { kind: "command-line", name: "ana" }, address: null };
const byDefault: ResumeOptions = { asOfMs: nowMs, sendDue: false, send: [] };
const home = "1000";
const otherHome = "2000";

/** Publishes messages. @returns their ids */
async function publishThese<Name extends string>(
  makers: Readonly<Record<Name, () => Promise<string>>>,
): Promise<Record<Name, string>> {
  const ids = Object.entries<() => Promise<string>>(makers).map(async ([name, make]) => [
    name,
    await make(),
  ]);
  return Object.fromEntries(await Promise.all(ids));
}

export function holdContract(bench: () => ContractBench): void {
  async function publish(createdAtMs: number, over: Partial<NewMessage>): Promise<string> {
    const message = bench().message({ ttlSeconds: 30 * 24 * 3_600, ...over });
    await bench().store.messages.publish(message, createdAtMs);
    return message.id;
  }

  /** By what becomes of them: messages that are there when the hold begins. */
  const before = {
    due: () => publish(sinceMs - hourMs, { scheduledAtMs: sinceMs - hourMs }),
    dueSince: () => publish(sinceMs - hourMs, { scheduledAtMs: sinceMs + hourMs }),
    future: () => publish(sinceMs - hourMs, { scheduledAtMs: nowMs + hourMs }),
    someZones: () =>
      publish(sinceMs - hourMs, {
        scheduledAtMs: nowMs - hourMs,
        localTime: "1970-01-12T00:00",
      }),
  };
  /** Messages that are made while delivery is held. */
  const meanwhile = {
    fresh: () => publish(sinceMs + hourMs, { scheduledAtMs: sinceMs + hourMs }),
    freshLater: () => publish(sinceMs + hourMs, { scheduledAtMs: nowMs + hourMs }),
    freshOver: () =>
      publish(sinceMs + hourMs, { scheduledAtMs: sinceMs + hourMs, ttlSeconds: 3_600 }),
    freshZonesOver: () =>
      publish(sinceMs - hourMs + 2 * hourMs, {
        scheduledAtMs: nowMs - 25 * hourMs,
        localTime: "1970-01-11T00:00",
        ttlSeconds: 0,
      }),
  };

  /** Publishes old messages, begins the hold, then publishes new messages. */
  async function publishAround(hold: DeliveryHold) {
    const old = await publishThese(before);
    await bench().store.hold.begin(hold, asker);
    return { ...old, ...(await publishThese(meanwhile)) };
  }

  const settle = (bornNs: string, atMs: number) => bench().store.hold.settleHome(bornNs, atMs);

  const list = (more: Partial<Parameters<HoldStore["list"]>[0]> = {}) =>
    bench().store.hold.list({ ...byDefault, projectId: null, limit: 100, ...more });

  async function fatesOf(ids: Record<string, string>, options: Partial<ResumeOptions> = {}) {
    const { messages: all } = await list(options);
    const listed = new Map(all.map(({ id, fate }) => [id, fate]));
    return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, listed.get(id)]));
  }

  const fateAt = async ({ id }: { id: string }, asOfMs: number) =>
    (await fatesOf({ id }, { asOfMs, sendDue: true }))["id"];

  const states = async (ids: Record<string, string>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(ids).map(async ([name, id]) => [
          name,
          (await findMessage(bench(), id)).state,
        ]),
      ),
    );

  const audit = async () => {
    const { store, projectId } = bench();
    const lines = await store.audit.list([projectId, null], { limit: 500 });
    return lines.map(({ action, actor, subject, change }) => ({
      action,
      by: actor.name,
      subject,
      change,
    }));
  };

  describe("a hold", () => {
    test("is not there at first, is begun once, and every connection sees it", async () => {
      const { store } = bench();
      expect(await store.hold.find()).toBeNull();
      const asked = { reason: "asked", sinceMs: 5 } as const;
      expect(await store.hold.begin(asked, asker)).toEqual({ begun: true, hold: asked });
      const again = await store.hold.begin({ reason: "asked", sinceMs: 9 }, asker);
      expect(again).toEqual({ begun: false, hold: asked });
      const another = await bench().openAnother();
      expect(await another.hold.find()).toEqual(asked);
      expect(await audit()).toEqual([
        { action: "delivery.held", by: "ana", subject: "", change: { reason: "asked" } },
      ]);
    });

    test("of a copy takes the place of one that an operator asked for", async () => {
      const { store } = bench();
      await store.hold.begin({ reason: "asked", sinceMs: 5 }, asker);
      const cloned = { reason: "cloned", sinceMs: 9 } as const;
      expect(await store.hold.begin(cloned, asker)).toEqual({ begun: true, hold: cloned });
      const asked = await store.hold.begin({ reason: "asked", sinceMs: 10 }, asker);
      expect(asked).toEqual({ begun: false, hold: cloned });
    });

    test.for(["restored", "cloned"] as const)(
      "of a copy of a %s server cancels also what that server took in while it was held",
      async (reason) => {
        const { store } = bench();
        await store.hold.begin({ reason, sinceMs: nowMs - 60_000 }, asker);
        const since = await publish(nowMs - 30_000, { scheduledAtMs: nowMs - 30_000 });
        const cloned = { reason: "cloned", sinceMs: nowMs } as const;
        expect(await store.hold.begin(cloned, asker)).toEqual({ begun: true, hold: cloned });
        expect(await fatesOf({ since })).toEqual({ since: "cancel" });
      },
    );

    test("of a restored server cancels what is due from before it, and nothing else", async () => {
      const fates = await fatesOf(await publishAround(restored));
      expect(fates).toEqual({
        due: "cancel",
        dueSince: "cancel",
        future: "later",
        someZones: "cancel",
        fresh: "now",
        freshLater: "later",
        freshOver: "expire",
        freshZonesOver: "now",
      });
    });

    test("lists what a resume with other options would do", async () => {
      const ids = await publishAround(restored);
      const one = await fatesOf(ids, { send: [ids.due] });
      expect(one).toMatchObject({ due: "now", dueSince: "cancel", future: "later" });
      const all = await fatesOf(ids, { sendDue: true });
      expect(all).toMatchObject({ due: "now", dueSince: "now", freshOver: "expire" });
    });

    test("lists until when each message is sent, with a local time in the last time zone", async () => {
      const ids = await publishAround(restored);
      const { messages } = await list();
      for (const message of messages) {
        expect(await fateAt(message, message.expiresAtMs - 1)).not.toBe("expire");
        expect(await fateAt(message, message.expiresAtMs)).toBe("expire");
      }
      const { expiresAtMs } = messages.find(({ id }) => id === ids.someZones) ?? {};
      expect(expiresAtMs).toBe(nowMs + 25 * hourMs + 30 * 24 * hourMs);
    });

    test("goes by the messages that were there, not by the clock", async () => {
      const old = await publish(nowMs + hourMs, { scheduledAtMs: sinceMs });
      await bench().store.hold.begin(restored, asker);
      const fresh = await publish(sinceMs - hourMs, { scheduledAtMs: sinceMs });
      expect(await fatesOf({ old, fresh })).toEqual({ old: "cancel", fresh: "now" });
    });

    test("that an operator asked for cancels nothing", async () => {
      const fates = await fatesOf(await publishAround({ reason: "asked", sinceMs }));
      expect(Object.values(fates)).not.toContain("cancel");
      expect(fates).toMatchObject({ due: "now", someZones: "now", future: "later" });
    });

    test("lists the first of each fate and counts all, without messages that have ended", async () => {
      const ids: string[] = [];
      for (let hour = 3; hour > 0; hour -= 1) {
        ids.push(await publish(1, { scheduledAtMs: hour * hourMs }));
      }
      const later = await before.future();
      const ended = await publish(1, { scheduledAtMs: 1 });
      await bench().store.messages.cancel(bench().projectId, ended, 2);
      await bench().store.hold.begin(restored, asker);
      const { counts, messages: listed } = await list({ limit: 2 });
      expect(counts).toEqual({ cancel: 3, now: 0, expire: 0, later: 1 });
      expect(listed.map(({ id }) => id)).toEqual([ids[2], ids[1], later]);
      expect(listed[0]).toEqual({
        id: ids[2],
        title: "Olá",
        state: "scheduled",
        createdAtMs: 1,
        dueAtMs: hourMs,
        localTime: null,
        expiresAtMs: hourMs + 30 * 24 * hourMs,
        registrations: null,
        doubtful: true,
        fate: "cancel",
      });
      const elsewhere = await list({ projectId: bench().projectId + 1 });
      expect(elsewhere).toEqual({
        counts: { cancel: 0, now: 0, expire: 0, later: 0 },
        messages: [],
      });
    });

    test("lists how many registrations of a message wait still", async () => {
      const { store, add } = bench();
      for (let count = 0; count < 3; count += 1) await add();
      const { id } = await planMessage(bench(), { ttlSeconds: 3_600 });
      const batch = await mustLease(store, 1_000);
      const accepted = { registrationId: 1, generation: 1, pushOrigin: "https://push.example" };
      const page = { to: 2, walked: [{ ...accepted, kind: "accepted" as const }, retry(2, 5_000)] };
      await writePage(store, batch, page, 1_000);
      const { messages: listed } = await list();
      expect(listed).toMatchObject([{ id, state: "sending", registrations: 2 }]);
    });
  });

  describe("a resume", () => {
    test("cancels what would be cancelled, tells of each in the audit, and ends the hold", async () => {
      const { store } = bench();
      const ids = await publishAround(restored);
      expect(await store.hold.resume(restored, byDefault, asker, nowMs)).toEqual({ cancelled: 3 });
      expect(await states(ids)).toEqual({
        due: "cancelled",
        dueSince: "cancelled",
        someZones: "cancelled",
        future: "scheduled",
        fresh: "scheduled",
        freshLater: "scheduled",
        freshOver: "scheduled",
        freshZonesOver: "scheduled",
      });
      expect(await store.hold.find()).toBeNull();
      const [resumed, ...cancelled] = await audit();
      const since = new Date(sinceMs).toISOString();
      const change = { reason: "restored", since, cancelled: 3, sendDue: false };
      expect(resumed).toEqual({ action: "delivery.resumed", by: "ana", subject: "", change });
      const lines = cancelled.filter(({ action }) => action === "message.cancelled");
      expect(new Set(lines.map(({ subject }) => subject))).toEqual(
        new Set([ids.due, ids.dueSince, ids.someZones]),
      );
    });

    test("sends the messages that the operator names, or all", async () => {
      const { store } = bench();
      const due = await before.due();
      const other = await before.due();
      await store.hold.begin(restored, asker);
      const send = { ...byDefault, send: [due] };
      expect(await store.hold.resume(restored, send, asker, nowMs)).toEqual({ cancelled: 1 });
      expect(await states({ due, other })).toEqual({ due: "scheduled", other: "cancelled" });
      await store.hold.begin(restored, asker);
      const all = { ...byDefault, sendDue: true };
      expect(await store.hold.resume(restored, all, asker, nowMs)).toEqual({ cancelled: 0 });
      expect(await states({ due })).toEqual({ due: "scheduled" });
    });

    test("leaves a message that came due after the operator saw the list", async () => {
      const { store } = bench();
      const future = await before.future();
      await store.hold.begin(restored, asker);
      await store.hold.resume(restored, byDefault, asker, nowMs + 2 * hourMs);
      expect(await states({ future })).toEqual({ future: "scheduled" });
    });

    test("cancels more messages than one transaction takes, with their retries", async () => {
      const { store, add } = bench();
      await add();
      const { id } = await planMessage(bench(), { ttlSeconds: 3_600 });
      await writePage(store, await mustLease(store, 1_000), { walked: [retry(1, 5_000)] }, 1_000);
      for (let count = 0; count < 120; count += 1) await publish(1, { scheduledAtMs: 1 });
      await store.hold.begin(restored, asker);
      expect(await store.hold.resume(restored, byDefault, asker, nowMs)).toEqual({
        cancelled: 121,
      });
      expect(await findMessage(bench(), id)).toMatchObject({
        state: "cancelled",
        counts: { retry: 0, failed: 1 },
      });
    });

    test("does nothing under another hold than the one that was listed", async () => {
      const { store } = bench();
      const due = await before.due();
      expect(await store.hold.resume(restored, byDefault, asker, nowMs)).toBeNull();
      const asked = { reason: "asked", sinceMs: sinceMs + 1 } as const;
      await store.hold.begin(asked, asker);
      expect(await store.hold.resume(restored, byDefault, asker, nowMs)).toBeNull();
      expect(await store.hold.find()).toEqual(asked);
      expect(await states({ due })).toEqual({ due: "scheduled" });
    });
  });

  describe("the home of the database", () => {
    test("that was made at another time is a copy's: delivery is held, and stays so", async () => {
      const { store } = bench();
      expect(await settle(home, 1)).toBeNull();
      expect(await settle(home, 2)).toBeNull();
      const cloned = { reason: "cloned", sinceMs: 3 };
      expect(await settle(otherHome, 3)).toEqual(cloned);
      expect(await settle(otherHome, 4)).toBeNull();
      expect(await store.hold.find()).toEqual(cloned);
      const line = { action: "delivery.held", by: "", subject: "", change: { reason: "cloned" } };
      expect(await audit()).toEqual([line]);
    });

    test("of a restored server is new, and no copy's; a copy of that server is one", async () => {
      const { store } = bench();
      await store.hold.begin(restored, asker);
      expect(await settle(home, nowMs)).toBeNull();
      expect(await store.hold.find()).toEqual(restored);
      const cloned = { reason: "cloned", sinceMs: nowMs + 1 };
      expect(await settle(otherHome, nowMs + 1)).toEqual(cloned);
      expect(await store.hold.find()).toEqual(cloned);
    });

    test("of a copy turns a hold that an operator asked for into the copy's", async () => {
      const { store } = bench();
      await settle(home, 1);
      await store.hold.begin({ reason: "asked", sinceMs: 2 }, asker);
      const cloned = { reason: "cloned", sinceMs: 3 };
      expect(await settle(otherHome, 3)).toEqual(cloned);
      expect(await store.hold.find()).toEqual(cloned);
    });
  });
}
