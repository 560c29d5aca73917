/** What is read to tell what needs somebody. */
import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import { accepted, leaseNext, planMessage, startMessage, writePage } from "./delivering.ts";
import { addMember, idOf } from "./members.ts";

const hourMs = 60 * 60 * 1000;

export function attentionContract(bench: () => ContractBench): void {
  describe("what attention is read from", () => {
    test("how much of its quotas a project has used", async () => {
      const { store, projectId, add, message } = bench();
      expect(await store.projects.usage(projectId, 0)).toEqual({
        liveRegistrations: 0,
        messagesWithinHour: 0,
      });
      const left = await add();
      await add();
      await store.registrations.leave(await idOf(bench(), left), 2);
      await store.messages.publish(message(), 1_000);
      await store.messages.publish(message(), 2_000);
      const other = await store.projects.ensure("other", 1);
      await store.messages.publish(message({ projectId: other.id }), 2_000);
      const usage = (nowMs: number) => store.projects.usage(projectId, nowMs);
      expect(await usage(2_000)).toEqual({ liveRegistrations: 1, messagesWithinHour: 2 });
      expect(await usage(1_000 + hourMs)).toMatchObject({ messagesWithinHour: 1 });
    });

    test("who waits at a destination: not sent to yet, or to be tried again", async () => {
      const { store, vapidKeyId, message } = bench();
      const pushOrigin = "https://push.example";
      const here = { pushOrigin, vapidKeyId };
      expect(await store.delivery.waitingAt(here)).toBe(0);
      const ids = [
        await addMember(bench(), {}),
        await addMember(bench(), {}),
        await addMember(bench(), {}),
      ];
      await addMember(bench(), {}, { pushOrigin: "https://another.example" });
      const { id } = await planMessage(bench(), message({ scheduledAtMs: 5 }));
      expect(await store.delivery.waitingAt(here)).toBe(3);
      expect(await store.delivery.waitingAt({ ...here, vapidKeyId: vapidKeyId + 1 })).toBe(0);
      for (;;) {
        const batch = await leaseNext(store, 5, { messageId: id });
        if (batch === null) throw new Error("the batch is not there");
        if (batch.pushService !== pushOrigin) continue;
        const [first = 0, second = 0] = ids;
        const retry = { reason: "busy", detail: "", dueAtMs: 9_000, counted: true };
        const again = { registrationId: second, generation: 1, kind: "retry" as const, ...retry };
        await writePage(store, batch, { walked: [accepted(first), again] }, 5);
        break;
      }
      expect(await store.delivery.waitingAt(here)).toBe(2);
    });

    test("when who should have been removed first has ended", async () => {
      const { store, add } = bench();
      expect(await store.retention.oldestEnded(100)).toBeNull();
      const [early, late] = [await add(), await add()];
      await startMessage(bench());
      await store.registrations.leave(await idOf(bench(), late), 20);
      await store.registrations.leave(await idOf(bench(), early), 10);
      expect(await store.retention.oldestEnded(10)).toBeNull();
      expect(await store.retention.oldestEnded(100)).toBe(10);
    });
  });
}
