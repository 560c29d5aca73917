import { describe, expect, test } from "vitest";
import type { AuditEntry, NewMessage } from "../port.ts";
import { testEntry, type ContractBench } from "./bench.ts";
import { findMessage } from "./delivering.ts";

const dueMs = 5_000;
const idempotency = { key: "edit-1", requestHash: Buffer.from("asked") };

export function replacingContract(bench: () => ContractBench): void {
  const publish = (message: NewMessage, nowMs: number, audit?: AuditEntry) =>
    bench().store.messages.publish(message, nowMs, undefined, audit);

  async function scheduled(over: Partial<NewMessage> = {}): Promise<string> {
    const message = bench().message({ scheduledAtMs: dueMs, ...over });
    await publish(message, 1_000);
    return message.id;
  }

  const successorOf = (replaces: string, over: Partial<NewMessage> = {}) =>
    bench().message({ replaces, scheduledAtMs: dueMs, ...over });

  const stateOf = async (id: string) => (await findMessage(bench(), id)).state;

  const audited = () => bench().store.audit.list([bench().projectId], { limit: 10 });

  const asker = { actor: testEntry.actor, address: null };
  const restored = (sinceMs: number) =>
    bench().store.hold.begin({ reason: "restored", sinceMs }, asker);

  /** Whether a message is doubtful, and what a resume does to it. */
  async function fateOf(id: string, asOfMs: number) {
    const options = { asOfMs, sendDue: false, send: [], projectId: null, limit: 10 };
    const { messages } = await bench().store.hold.list(options);
    const held = messages.find((message) => message.id === id);
    return held && [held.doubtful, held.fate];
  }

  /** Publishes a successor that cannot be, and looks that it left nothing behind. */
  async function refused(replaces: string): Promise<void> {
    const successor = successorOf(replaces);
    expect(await publish(successor, 2_000, { ...testEntry, projectId: bench().projectId })).toEqual(
      { kind: "not-replaced" },
    );
    expect(await bench().store.messages.find(bench().projectId, successor.id)).toBeNull();
    expect(await audited()).toEqual([]);
  }

  describe("replacing", () => {
    test("cancels the scheduled message and publishes its successor; each names the other", async () => {
      const id = await scheduled();
      const successor = successorOf(id);
      expect(await publish(successor, 2_000)).toEqual({ kind: "published" });
      await bench().reopen();
      const { messages } = bench().store;
      expect(await findMessage(bench(), id)).toMatchObject({
        state: "cancelled",
        endedAtMs: 2_000,
        replaces: null,
        replacedBy: successor.id,
      });
      expect(await findMessage(bench(), successor.id)).toMatchObject({
        state: "scheduled",
        replaces: id,
        replacedBy: null,
      });
      const listed = await messages.list(bench().projectId, 10);
      expect(listed.map(({ replaces, replacedBy }) => ({ replaces, replacedBy }))).toEqual([
        { replaces: id, replacedBy: null },
        { replaces: null, replacedBy: successor.id },
      ]);
    });

    test("leaves the successor alone to start", async () => {
      const id = await scheduled();
      const successor = successorOf(id);
      await publish(successor, 2_000);
      const { delivery } = bench().store;
      expect(await delivery.startSending(id, dueMs)).toBe(false);
      expect((await delivery.nextToPlan(dueMs))?.id).toBe(successor.id);
      expect(await delivery.startSending(successor.id, dueMs)).toBe(true);
    });

    test("writes nothing once the sending has begun", async () => {
      const id = await scheduled();
      await bench().store.delivery.startSending(id, dueMs);
      await refused(id);
      expect(await stateOf(id)).toBe("sending");
    });

    test("of a message by each reader's time ends with its first time zone", async () => {
      const localTime = "1970-01-01T14:00:05";
      const id = await scheduled({ localTime });
      const before = successorOf(id, { localTime });
      expect(await publish(before, dueMs - 1)).toEqual({ kind: "published" });
      await bench().store.delivery.startSending(before.id, dueMs);
      await refused(before.id);
    });

    test("at the same moment as its start, by two stores, does one of the two", async () => {
      const another = await bench().openAnother();
      for (let round = 0; round < 20; round += 1) {
        const id = await scheduled();
        const successor = successorOf(id, { scheduledAtMs: 1_000_000 });
        const [result, hasStarted] = await Promise.all([
          publish(successor, dueMs),
          another.delivery.startSending(id, dueMs),
        ]);
        expect(result.kind).toBe(hasStarted ? "not-replaced" : "published");
        expect(await stateOf(id)).toBe(hasStarted ? "sending" : "cancelled");
      }
    });

    test("by two at once is done by one of them", async () => {
      const id = await scheduled();
      const another = await bench().openAnother();
      const successors = [successorOf(id), successorOf(id)] as const;
      const results = await Promise.all([
        publish(successors[0], 2_000),
        another.messages.publish(successors[1], 2_000),
      ]);
      const kinds = results.map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(["not-replaced", "published"]);
      const { replacedBy } = await findMessage(bench(), id);
      expect(replacedBy).toBe(successors[kinds.indexOf("published")]?.id);
    });

    test("is for scheduled messages of the project alone", async () => {
      const cancelled = await scheduled();
      await bench().store.messages.cancel(bench().projectId, cancelled, 1_500);
      await refused(cancelled);
      await refused(bench().message().id);
      const other = await bench().store.projects.ensure("other", 1);
      const theirs = bench().message({ projectId: other.id, scheduledAtMs: dueMs });
      await publish(theirs, 1_000);
      await refused(theirs.id);
      expect((await bench().store.messages.find(other.id, theirs.id))?.state).toBe("scheduled");
    });

    test("with an idempotency key happens once, and is answered alike", async () => {
      const id = await scheduled();
      const { messages } = bench().store;
      const successor = successorOf(id);
      await messages.publish(successor, 2_000, idempotency);
      expect(await messages.publish(successorOf(id), 3_000, idempotency)).toMatchObject({
        kind: "repeated",
        message: { id: successor.id, replaces: id },
      });
      const other = { ...idempotency, requestHash: Buffer.from("something else") };
      expect(await messages.publish(successorOf(successor.id), 3_000, other)).toEqual({
        kind: "key-reused",
        messageId: successor.id,
      });
      expect(await stateOf(successor.id)).toBe("scheduled");
    });

    test("beyond the project's quota leaves the scheduled message as it is", async () => {
      const id = await scheduled();
      const { projects } = bench().store;
      await projects.changeSettings(bench().projectId, { messagesPerHourQuota: 1 }, testEntry, 1);
      expect(await publish(successorOf(id), 2_000)).toMatchObject({ kind: "quota-reached" });
      expect(await stateOf(id)).toBe("scheduled");
    });

    test("stands in the audit as both: what was cancelled, and what was published", async () => {
      const id = await scheduled();
      const successor = successorOf(id);
      const { projectId } = bench();
      const entry = { ...testEntry, projectId, action: "message.published", subject: successor.id };
      await publish(successor, 2_000, entry);
      expect(await audited()).toMatchObject([
        { action: "message.published", subject: successor.id },
        { action: "message.cancelled", subject: id, change: { replacedBy: successor.id } },
      ]);
    });

    test("of a doubtful message leaves a doubtful one", async () => {
      const doubtful = await scheduled();
      await restored(2_000);
      const other = bench().message({ scheduledAtMs: dueMs });
      await publish(other, 2_500);
      const successors = [successorOf(doubtful), successorOf(other.id)] as const;
      for (const successor of successors) await publish(successor, 3_000);
      expect(await fateOf(successors[0].id, dueMs)).toEqual([true, "cancel"]);
      expect(await fateOf(successors[1].id, dueMs)).toEqual([false, "now"]);
    });

    test("of a doubtful message leaves the other server's time, whatever the new one is", async () => {
      const ids = [await scheduled(), await scheduled()] as const;
      await restored(2_000);
      const later = successorOf(ids[0], { scheduledAtMs: 90_000 });
      const earlier = successorOf(ids[1], { scheduledAtMs: 3_000 });
      const last = successorOf(later.id, { scheduledAtMs: 80_000 });
      for (const successor of [later, earlier, last]) await publish(successor, 3_000);
      expect(await fateOf(last.id, dueMs - 1)).toEqual([true, "later"]);
      expect(await fateOf(last.id, dueMs)).toEqual([true, "cancel"]);
      expect(await fateOf(earlier.id, dueMs - 1)).toEqual([true, "now"]);
      expect(await fateOf(earlier.id, dueMs)).toEqual([true, "cancel"]);
    });

    test("of a doubtful message leaves both times to a copy of this server", async () => {
      const id = await scheduled();
      await restored(2_000);
      const earlier = successorOf(id, { scheduledAtMs: 3_000 });
      await publish(earlier, 3_000);
      await bench().store.hold.begin({ reason: "cloned", sinceMs: 3_500 }, asker);
      expect(await fateOf(earlier.id, 3_600)).toEqual([true, "cancel"]);
    });
  });
}
