import { describe, expect, test } from "vitest";
import { asNew, endAsGone, randomToken, testEntry, type ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  gone,
  leaseAll,
  mustLease,
  none,
  planMessage,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";
import { addMember, addTopic, idOf } from "./members.ts";

const elsewhere = "https://elsewhere.example";

/** How much is kept of registrations that have ended: a stranger may register and leave over and over. */
export function endedRegistrationContract(bench: () => ContractBench): void {
  async function startElsewhere(projectId: number): Promise<void> {
    const message = bench().message({ projectId });
    await bench().store.messages.publish(message, 1);
    await bench().store.delivery.startSending(message.id, message.scheduledAtMs);
  }
  /** Of its new push service a new generation. */
  async function move(id: number): Promise<void> {
    const { store, candidate } = bench();
    const moved = candidate({ pushOrigin: elsewhere });
    await store.registrations.register(moved, () => ({ kind: "renew", id }), 1_000);
  }
  /** Where one is kept: others come, and leave before anything is sent to them. */
  async function removeOldest(count: number): Promise<void> {
    await setQuota(1);
    for (let removed = 0; removed < count; removed += 2) {
      const token = await bench().add();
      await bench().store.registrations.leave(await idOf(bench(), token), 1_200);
    }
  }
  /** As the delivery does: where nobody is in the audience any more, a retry has failed. @returns messages that have ended by that */
  async function settle(messageId: string, nowMs: number): Promise<string[]> {
    const { store } = bench();
    for await (const batch of leaseAll(store, nowMs, { messageId })) {
      const message = await findMessage(bench(), messageId);
      const due = await store.delivery.dueRetries(batch, message, nowMs, 99);
      expect(due.every(({ recipient }) => recipient === null)).toBe(true);
      const retried = due.map(({ attempts, registrationId }) => {
        return { attempts, delivered: refused(registrationId, "failed", "not-in-audience") };
      });
      await writePage(store, batch, { retried }, nowMs);
    }
    return store.delivery.finishMessages(nowMs);
  }
  async function leaveInTurn(tokens: readonly string[]): Promise<void> {
    for (const [index, token] of tokens.entries()) {
      await bench().store.registrations.leave(await idOf(bench(), token), 1_100 + index);
    }
  }
  const setQuota = (registrationsQuota: number) =>
    bench().store.projects.changeSettings(bench().projectId, { registrationsQuota }, testEntry, 3);
  /** Those of these tokens of which something is kept. */
  async function kept(tokens: readonly string[]): Promise<string[]> {
    const { store, projectId } = bench();
    const found = await Promise.all(
      tokens.map((token) => store.registrations.find(projectId, token)),
    );
    return tokens.filter((_, index) => found[index] !== null);
  }

  describe("registrations that have ended", () => {
    test("the store removes one that leaves before a message was sent to it, and the day counts it", async () => {
      const { store, projectId, candidate } = bench();
      const bread = await addTopic(bench(), "bread");
      const early = await bench().add();
      await startMessage(bench());
      const { endpoint, endpointHash } = candidate();
      const late = await addMember(bench(), { joins: [bread.id] }, { endpoint, endpointHash });
      const before = (await store.audience.list(projectId, {}, { limit: 9, keys: 9 }))
        .registrations;
      expect(before).toHaveLength(2);
      expect(await store.registrations.leave(late, 7)).toBe(true);
      expect(await store.registrations.leave(late, 8)).toBe(false);
      const after = (await store.audience.list(projectId, {}, { limit: 9, keys: 9 })).registrations;
      expect(after.map(({ token }) => token)).toEqual([early]);
      expect(await store.audience.days(projectId, 0, 9)).toMatchObject([
        { registered: 2, left: 1 },
      ]);
      expect(await store.topics.list(projectId)).toMatchObject([{ liveCount: 0 }]);
      // Its browser may come back.
      await bench().add({ endpoint, endpointHash });
      expect(await store.registrations.countLive(projectId)).toBe(2);
    });

    test("the store removes one that is forgotten before a message was sent to it", async () => {
      const { store, projectId } = bench();
      const id = await idOf(bench(), await bench().add());
      const stranger = randomToken();
      await store.registrations.forget(id, stranger, 7);
      expect(await store.registrations.find(projectId, stranger)).toBeNull();
      expect(await store.registrations.countLive(projectId)).toBe(0);
    });

    test("what another project has sent changes nothing", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 2);
      const token = await bench().add();
      await bench().add({ projectId: other.id });
      await startElsewhere(other.id);
      await store.registrations.leave(await idOf(bench(), token), 7);
      expect(await store.registrations.find(projectId, token)).toBeNull();
    });

    test("a project keeps as many as it may have live ones; the oldest go first", async () => {
      await setQuota(3);
      const tokens: string[] = [];
      for (const leavesAtMs of [90, 40, 60, 70]) {
        const token = await bench().add();
        await startMessage(bench());
        await bench().store.registrations.leave(await idOf(bench(), token), leavesAtMs);
        tokens.push(token);
      }
      // The store removes the oldest when a browser registers.
      expect(await kept(tokens)).toEqual(tokens);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.filter((_, index) => index !== 1));
    });

    test("those that are gone count, and another project's do not", async () => {
      const { store, message } = bench();
      const other = await store.projects.ensure("other", 2);
      const away = await bench().add({ projectId: other.id });
      await startElsewhere(other.id);
      await store.registrations.leave(await idOf(bench(), away, other.id), 1);
      await setQuota(1);
      const tokens: string[] = [];
      for (const scheduledAtMs of [10, 20, 30]) {
        const token = await bench().add();
        await endAsGone(bench(), message({ scheduledAtMs }), await idOf(bench(), token), 1);
        tokens.push(token);
      }
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(2));
      expect(await store.registrations.find(other.id, away)).not.toBeNull();
    });

    test("where a quota was lowered, two go for each that comes, together too", async () => {
      const { store, candidate } = bench();
      const tokens = await Promise.all(Array.from({ length: 9 }, () => bench().add()));
      await startMessage(bench());
      await leaveInTurn(tokens);
      await setQuota(4);
      await bench().add();
      expect(await kept(tokens)).toEqual(tokens.slice(2));
      await Promise.all([1, 2, 3].map(() => store.registrations.register(candidate(), asNew, 9)));
      expect(await kept(tokens)).toEqual(tokens.slice(5));
    });

    test("where one goes, a message that was to be tried there again fails in its turn, and ends", async () => {
      const { store } = bench();
      const tokens = [await bench().add(), await bench().add(), await bench().add()];
      const { id } = await planMessage(bench());
      const walked = [retry(1, 2_000), retry(2, 2_000), accepted(3)];
      await writePage(store, await mustLease(store, 1_000), { walked }, 1_000);
      await leaveInTurn(tokens);
      await removeOldest(2);
      expect(await kept(tokens)).toEqual(tokens.slice(2));
      expect(await settle(id, 2_000)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { ...none, accepted: 1, failed: 2 },
        plannedCount: 3,
      });
    });

    test("where one goes that had moved, a message that was to be sent there counts nothing", async () => {
      const tokens = [await bench().add(), await bench().add()];
      const { id } = await planMessage(bench());
      await move(1);
      await leaveInTurn(tokens);
      await removeOldest(1);
      expect(await kept(tokens)).toEqual(tokens.slice(1));
      expect(await settle(id, 2_000)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({ counts: none, plannedCount: 0 });
    });

    test("where some go that a page has on its way, what comes of it counts", async () => {
      const { store } = bench();
      const tokens: string[] = [];
      for (let made = 0; made < 5; made += 1) tokens.push(await bench().add());
      const { id } = await planMessage(bench());
      const batch = await mustLease(store, 1_000);
      await leaveInTurn(tokens);
      await removeOldest(4);
      expect(await kept(tokens)).toEqual(tokens.slice(4));
      const walked = [accepted(1), gone(2), retry(3, 2_000), refused(4), retry(5, 2_000)];
      await writePage(store, batch, { walked }, 1_300);
      expect(await settle(id, 2_000)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { accepted: 1, gone: 1, failed: 2, rejected: 1, retry: 0 },
        plannedCount: 5,
      });
    });

    test("where one goes that moved while a page had it on its way, the message counts it once", async () => {
      const { store } = bench();
      const tokens = [await bench().add(), await bench().add()];
      const { id } = await planMessage(bench());
      const early = await mustLease(store, 1_000);
      await move(1);
      const late = await mustLease(store, 1_100, { owner: "another", pushOrigin: elsewhere });
      const retried = [{ attempts: 0, delivered: { ...accepted(1, 2), pushOrigin: elsewhere } }];
      await writePage(store, late, { owner: "another", retried }, 1_100);
      await leaveInTurn(tokens);
      await removeOldest(1);
      expect(await kept(tokens)).toEqual(tokens.slice(1));
      await writePage(store, early, { walked: [accepted(1), accepted(2)] }, 1_300);
      expect(await store.delivery.finishMessages(1_400)).toEqual([id]);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { ...none, accepted: 2 },
        plannedCount: 2,
      });
    });
  });
}
