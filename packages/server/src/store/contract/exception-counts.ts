import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  gone,
  mustLease,
  planMessage,
  recountReasons,
  refused,
  retry,
  writePage,
} from "./delivering.ts";

const [east, west] = ["https://east.example", "https://west.example"];
const dayMs = 86_400_000;

/** Why registrations did not accept a message, against a recount: whatever changes an exception changes its count. */
export function exceptionCountContract(bench: () => ContractBench): void {
  /** Six registrations at one push service, of whom one accepted. Time: 2,000. */
  async function sent(): Promise<string> {
    for (let count = 0; count < 6; count += 1) await bench().add({ pushOrigin: east });
    const { id } = await planMessage(bench(), { ttlSeconds: 3_600 });
    const batch = await mustLease(bench().store, 1_000, { messageId: id });
    const walked = [
      accepted(1),
      gone(2),
      retry(3, 5_000),
      { ...retry(4, 5_000), detail: "503" },
      retry(5, 5_000),
      refused(6),
    ];
    await writePage(bench().store, batch, { walked }, 2_000);
    await holds(id);
    return id;
  }

  async function holds(id: string): Promise<void> {
    const { store } = bench();
    expect(await store.messages.reasons(id)).toEqual(await recountReasons(store, id));
  }

  /** By reason, how many and in whose words. */
  async function told(id: string): Promise<Record<string, [count: number, detail: string]>> {
    await holds(id);
    const reasons = await bench().store.messages.reasons(id);
    return Object.fromEntries(
      reasons.map(({ kind, reason, count, detail }) => [`${kind} ${reason}`, [count, detail]]),
    );
  }

  describe("counts of exceptions", () => {
    test("follow retries: accepted, refused, tried again in other words, and gone", async () => {
      const id = await sent();
      const { store } = bench();
      expect(await told(id)).toEqual({ "retry busy": [3, "503"], "rejected too-large": [1, ""] });
      const batch = await mustLease(store, 6_000, { messageId: id });
      const retried = [
        { attempts: 1, delivered: accepted(3) },
        { attempts: 1, delivered: { ...retry(4, 9_000), detail: "500" } },
        { attempts: 1, delivered: refused(5) },
      ];
      await writePage(store, batch, { retried }, 6_000);
      expect(await told(id)).toEqual({ "retry busy": [1, "500"], "rejected too-large": [2, ""] });
      const again = await mustLease(store, 9_000, { messageId: id });
      await writePage(store, again, { retried: [{ attempts: 2, delivered: gone(4) }] }, 9_000);
      await bench().reopen();
      expect(await told(id)).toEqual({ "rejected too-large": [2, ""] });
    });

    test("follow a retry to another push service", async () => {
      const id = await sent();
      const { store, candidate } = bench();
      const to = candidate({ pushOrigin: west });
      await store.registrations.register(to, () => ({ kind: "renew", id: 4 }), 3_000);
      await holds(id);
      const reasons = await store.messages.reasons(id);
      expect(reasons.map((each) => [each.pushOrigin, each.count, each.detail])).toEqual([
        [east, 2, "429"],
        [east, 1, ""],
        [west, 1, "503"],
      ]);
    });

    test("follow a cancellation, and the end of the message's time", async () => {
      const [cancelled, expired] = [await sent(), await planMessage(bench(), { ttlSeconds: 60 })];
      const { store, projectId } = bench();
      await store.messages.cancel(projectId, cancelled, 3_000);
      expect(await told(cancelled)).toEqual({
        "failed cancelled": [3, "503"],
        "rejected too-large": [1, ""],
      });
      const batch = await mustLease(store, 3_000, { messageId: expired.id });
      await writePage(store, batch, { walked: [retry(1, 5_000)] }, 3_000);
      await store.delivery.expireBatches(dayMs);
      expect(await told(expired.id)).toEqual({ "failed expired": [1, "429"] });
    });

    test("lose the words of a registration that is forgotten, and keep its number", async () => {
      const id = await sent();
      await bench().store.registrations.forget(4, "another", 3_000);
      expect((await told(id))["retry busy"]).toEqual([3, "429"]);
    });

    test("lose what retention removes, and no registration that it removes", async () => {
      const id = await sent();
      const { store, projectId } = bench();
      await store.messages.cancel(projectId, id, 3_000);
      const before = await store.messages.reasons(id);
      expect(before).toHaveLength(2);
      for (const ended of [3, 6]) await store.registrations.leave(ended, 4_000);
      await store.retention.removeEnded(dayMs, 10);
      expect(await store.messages.reasons(id)).toEqual(before);
      expect(await store.retention.removeExceptions(dayMs, 10)).toBe(5);
      expect(await told(id)).toEqual({});
    });
  });
}
