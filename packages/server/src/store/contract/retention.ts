import { describe, expect, test } from "vitest";
import { endAsGone, findMembership, testEntry, type ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  gone,
  mustLease,
  planMessage,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";

const dayMs = 86_400_000;
export function retentionContract(bench: () => ContractBench): void {
  const find = (token: string) => bench().store.registrations.find(bench().projectId, token);
  const live = () => bench().store.registrations.countLive(bench().projectId);

  /** A message that one registration has displayed, and another has left behind. */
  async function displayed(token: string): Promise<string> {
    const { store, projectId } = bench();
    const { id } = await planMessage(bench());
    await store.receipts.add(
      { projectId, messageId: id, token, event: "clicked", action: "open" },
      5,
    );
    return id;
  }

  describe("retention", () => {
    test("registrations that ended are removed with all that is theirs; figures stay", async () => {
      const { store } = bench();
      const [stays, leaves] = [await bench().add(), await bench().add()];
      await store.topics.add(bench().projectId, { name: "bread", policy: "open" }, 1);
      const topic = await store.topics.find(bench().projectId, "bread");
      await store.topics.changeMany(
        { projectId: bench().projectId, topicId: topic?.id ?? 0 },
        "join",
        [stays, leaves],
        1,
      );
      const { id } = await planMessage(bench());
      await store.receipts.add(
        {
          projectId: bench().projectId,
          messageId: id,
          token: leaves,
          event: "displayed",
          action: null,
        },
        5,
      );
      // It is gone at the second's: that leaves a row of its own.
      await writePage(store, await mustLease(store, 1_000), { walked: [gone(2)] }, 1_000);

      expect(await store.retention.removeEnded(1_000, 10)).toBe(0);
      expect(await store.retention.removeEnded(1_001, 10)).toBe(1);
      expect(await find(leaves)).toBeNull();
      expect(await find(stays)).not.toBeNull();
      expect(await live()).toBe(1);
      expect(await findMessage(bench(), id)).toMatchObject({
        counts: { gone: 1 },
        receipts: { displayed: 1 },
      });
      expect((await findMembership(store, 1)).topics).toMatchObject([{ name: "bread" }]);
      expect(await store.topics.list(bench().projectId)).toMatchObject([{ liveCount: 1 }]);
      expect(await store.retention.removeEnded(dayMs, 10)).toBe(0);
    });

    test("the oldest go first, so many at a time", async () => {
      const { store } = bench();
      const tokens = [await bench().add(), await bench().add(), await bench().add()];
      await startMessage(bench());
      for (const [index, at] of [30, 10, 20].entries()) {
        await store.registrations.leave(index + 1, at);
      }
      expect(await store.retention.removeEnded(100, 2)).toBe(2);
      expect(await Promise.all(tokens.map(find))).toEqual([
        expect.objectContaining({ token: tokens[0] }),
        null,
        null,
      ]);
      expect(await store.retention.removeEnded(100, 2)).toBe(1);
    });

    test("one goes that a message is still to be tried at; what the message met there stays with it", async () => {
      const { store, projectId } = bench();
      const token = await bench().add();
      const { id } = await planMessage(bench());
      const batch = await mustLease(store, 1_000);
      await writePage(store, batch, { walked: [retry(1, 2_000)] }, 1_000);
      await store.registrations.leave(1, 1_500);
      expect(await store.retention.removeEnded(dayMs, 10)).toBe(1);
      expect(await find(token)).toBeNull();
      await store.messages.cancel(projectId, id, 3_000);
      expect(await store.messages.reasons(id)).toMatchObject([{ reason: "cancelled", count: 1 }]);
    });

    test("what a message met at single registrations goes with the time since it ended; figures stay", async () => {
      const { store, projectId } = bench();
      for (let made = 0; made < 3; made += 1) await bench().add();
      const sent = async (endedAtMs: number) => {
        const { id } = await planMessage(bench());
        const batch = await mustLease(store, 1_000, { messageId: id });
        const walked = [refused(1), retry(2, 9_000), accepted(3)];
        await writePage(store, batch, { walked }, 1_000);
        await store.messages.cancel(projectId, id, endedAtMs);
        return id;
      };
      const [old, young] = [await sent(5_000), await sent(6_000)];
      const open = await planMessage(bench());
      const batch = await mustLease(store, 1_000, { messageId: open.id });
      await writePage(store, batch, { walked: [refused(1), retry(2, 9_000)] }, 1_000);
      expect(await store.retention.removeExceptions(5_000, 10)).toBe(0);
      expect(await store.retention.removeExceptions(6_000, 1)).toBe(1);
      expect(await store.retention.removeExceptions(6_000, 10)).toBe(1);
      expect(await store.retention.removeExceptions(6_000, 10)).toBe(0);
      const met = async (id: string) =>
        (await store.messages.exceptions(id, { afterId: 0, limit: 9 })).exceptions.length;
      expect([await met(old), await met(young), await met(open.id)]).toEqual([0, 2, 2]);
      expect(await store.messages.reasons(old)).toEqual([]);
      expect(await store.messages.reasons(young)).toHaveLength(2);
      expect(await findMessage(bench(), old)).toMatchObject({
        counts: { accepted: 1, rejected: 1, failed: 1, retry: 0 },
      });
    });

    test("receipts go with the time since their message ended, and are not counted again", async () => {
      const { store, projectId } = bench();
      const token = await bench().add();
      const [old, young] = [await displayed(token), await displayed(token)];
      await store.messages.cancel(projectId, old, 5_000);
      expect(await store.retention.removeReceipts(5_000, 10)).toBe(0);
      expect(await store.retention.removeReceipts(5_001, 10)).toBe(1);
      expect(await store.receipts.clicksByAction(old)).toEqual(new Map());
      expect(await store.receipts.clicksByAction(young)).toEqual(new Map([["open", 1]]));
      expect(await findMessage(bench(), old)).toMatchObject({ receipts: { clicked: 1 } });

      const again = (messageId: string) =>
        bench().store.receipts.add(
          { projectId, messageId, token, event: "clicked", action: "open" },
          6_000,
        );
      expect(await again(old)).toBe(false);
      // The operator keeps receipts longer from now on: those that were removed stay refused.
      await store.messages.cancel(projectId, await displayed(token), 500);
      expect(await store.retention.removeReceipts(1_000, 10)).toBe(1);
      await bench().reopen();
      expect(await again(old)).toBe(false);
      expect(await findMessage(bench(), old)).toMatchObject({ receipts: { clicked: 1 } });
    });

    test("a clock that once ran ahead does not shut out receipts of later messages", async () => {
      const { store, projectId } = bench();
      const token = await bench().add();
      const [old, later] = [await displayed(token), await displayed(token)];
      await store.messages.cancel(projectId, old, 5_000);
      expect(await store.retention.removeReceipts(365 * dayMs, 10)).toBe(1);
      await store.messages.cancel(projectId, later, 6_000);
      const receipt = { projectId, token, event: "closed", action: null } as const;
      expect(await store.receipts.add({ ...receipt, messageId: later }, 7_000)).toBe(true);
      expect(await store.receipts.add({ ...receipt, messageId: old }, 7_000)).toBe(false);
    });

    test("receipts that were not removed are still counted once, and new ones are taken", async () => {
      const { store, projectId } = bench();
      const [token, other] = [await bench().add(), await bench().add()];
      const [ended, open] = [await displayed(token), await displayed(token)];
      await store.messages.cancel(projectId, ended, 5_000);
      expect(await store.retention.removeReceipts(5_000, 10)).toBe(0);
      for (const messageId of [ended, open]) {
        for (const each of [token, other]) {
          const receipt = { projectId, messageId, token: each, action: "open" };
          expect(await store.receipts.add({ ...receipt, event: "clicked" }, 6_000)).toBe(true);
        }
        expect(await findMessage(bench(), messageId)).toMatchObject({ receipts: { clicked: 2 } });
      }
    });

    test("batches go once their message has ended and nobody works on them; figures stay", async () => {
      const { store, projectId } = bench();
      for (let count = 0; count < 2; count += 1) await bench().add();
      const done = await planMessage(bench(), {}, { keys: 1 });
      for (const id of [1, 2]) {
        const batch = await mustLease(store, 1_000, { messageId: done.id });
        await writePage(store, batch, { walked: [accepted(id)] }, 1_000);
      }
      // It is not done before that is said.
      expect(await store.retention.removeBatches(10)).toBe(0);
      await store.delivery.finishMessages(1_000);
      const [open, cancelled] = [await planMessage(bench()), await planMessage(bench())];
      const worked = await mustLease(store, 1_000, { messageId: cancelled.id });
      await store.messages.cancel(projectId, cancelled.id, 2_000);
      expect(await store.retention.removeBatches(1)).toBe(1);
      expect(await store.retention.removeBatches(10)).toBe(1);
      expect(await store.retention.removeBatches(10)).toBe(0);
      await writePage(store, worked, { walked: [accepted(1)] }, 2_000);
      expect(await store.retention.removeBatches(10)).toBe(1);
      const counts = { accepted: 2 };
      expect(await findMessage(bench(), done.id)).toMatchObject({ plannedCount: 2, counts });
      expect(await store.messages.progress(done.id)).toMatchObject([{ planned: 2, counts }]);
      expect(await mustLease(store, 1_000, { messageId: open.id })).not.toBeNull();
    });

    test("audit lines from before a time are removed, but none that is younger than 30 days", async () => {
      const { store } = bench();
      const nowMs = Date.now();
      for (const days of [400, 31, 29, 0])
        await store.audit.append(testEntry, nowMs - days * dayMs);
      expect(await store.audit.removeBefore(nowMs - 365 * dayMs, 10)).toBe(1);
      expect(await store.audit.removeBefore(nowMs - 30.5 * dayMs, 10)).toBe(1);
      await expect(store.audit.removeBefore(nowMs + dayMs, 10)).rejects.toThrow(/append-only/);
      expect(await store.audit.list([null], { limit: 9 })).toHaveLength(2);
    });
  });

  describe("forgetting a registration", () => {
    test("takes all that could tell whose it was; figures stay, and nothing is sent to it", async () => {
      const { store, projectId } = bench();
      const token = await bench().add();
      await bench().bindUser(1, "baker");
      const id = await displayed(token);
      const batch = await mustLease(store, 1_000);
      await writePage(store, batch, { walked: [retry(1, 2_000)] }, 1_000);

      await store.registrations.forget(1, "another", 1_500);
      expect(await find(token)).toBeNull();
      expect(await find("another")).toEqual({
        id: 1,
        token: "another",
        generation: 1,
        clientSecretHash: null,
        subscription: null,
        endReason: "left",
      });
      expect(await live()).toBe(0);
      expect(await store.receipts.clicksByAction(id)).toEqual(new Map());
      expect(await store.messages.reasons(id)).toMatchObject([{ detail: "" }]);
      expect(await findMessage(bench(), id)).toMatchObject({ receipts: { clicked: 1 } });
      const retries = await store.delivery.dueRetries(
        batch,
        await findMessage(bench(), id),
        9_000,
        9,
      );
      expect(retries).toMatchObject([{ registrationId: 1, recipient: null }]);
      const { groups } = await store.registrations.countAudience(
        projectId,
        { kind: "user", userId: "baker" },
        0,
        9,
      );
      expect(groups).toEqual([]);
    });

    test("one that is gone keeps the time of its end, so that it is removed in time", async () => {
      await bench().add();
      await endAsGone(bench(), bench().message(), 1, 1);
      const { store } = bench();
      await store.registrations.forget(1, "another", 5_000);
      expect(await store.retention.removeEnded(1_001, 9)).toBe(1);
    });
  });

  describe("the audit", () => {
    test("gives the lines of these projects, newest first, page by page", async () => {
      const { store, projectId } = bench();
      const other = await store.projects.ensure("other", 1);
      for (const id of [projectId, null, other.id, projectId]) {
        await store.audit.append({ ...testEntry, projectId: id, change: { id } }, 7);
      }
      const ids = async (...args: Parameters<typeof store.audit.list>) =>
        (await store.audit.list(...args)).map((line) => line.id);
      expect(await ids([projectId], { limit: 9 })).toEqual([4, 1]);
      expect(await ids([projectId, null], { limit: 2 })).toEqual([4, 2]);
      expect(await ids([projectId, null], { limit: 2, beforeId: 2 })).toEqual([1]);
      expect(await ids([null], { limit: 9 })).toEqual([2]);
      expect(await ids([], { limit: 9 })).toEqual([]);
      await bench().reopen();
      expect((await bench().store.audit.list([other.id], { limit: 9 }))[0]).toEqual({
        ...testEntry,
        id: 3,
        atMs: 7,
        projectId: other.id,
        change: { id: other.id },
      });
    });
  });
}
