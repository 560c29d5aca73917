import { describe, expect, test } from "vitest";
import type { Breaker } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  gone,
  mustLease,
  planMessage,
  refused,
  retry,
  startMessage,
  writePage,
} from "./delivering.ts";

const east = "https://east.example";
const west = "https://west.example";

const none = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };

/** What is told of a message that is being sent. */
export function progressContract(bench: () => ContractBench): void {
  /** Five registrations at `east`, two at `west`, and a message that is planned for them in parts of two. */
  async function planned() {
    for (const pushOrigin of [east, west, east, east, east, west, east]) {
      await bench().add({ pushOrigin });
    }
    return planMessage(bench(), { ttlSeconds: 3_600 }, { keys: 2 });
  }

  const breaker = (over: Partial<Breaker> = {}): Omit<Breaker, "probes"> => ({
    pushOrigin: east,
    vapidKeyId: bench().vapidKeyId,
    reason: "unavailable",
    detail: "503",
    openedAtMs: 1_000,
    probeAtMs: 2_000,
    ...over,
  });

  describe("progress", () => {
    test("adds up the batches of each push origin, and those of no other message", async () => {
      const { store } = bench();
      const { id } = await planned();
      await planMessage(bench());
      expect(await store.messages.progress(id)).toEqual([
        { pushOrigin: east, planned: 5, counts: none },
        { pushOrigin: west, planned: 2, counts: none },
      ]);
      const batch = await mustLease(store, 1_000, { messageId: id, pushOrigin: east });
      await writePage(store, batch, { walked: [accepted(1)] }, 2_000);
      const next = await mustLease(store, 2_000, { messageId: id, pushOrigin: east });
      const walked = [gone(3), retry(4, 5_000)];
      await writePage(store, next, { walked }, 2_000);
      const other = await mustLease(store, 2_000, { messageId: id, pushOrigin: west });
      await writePage(store, other, { walked: [refused(2)] }, 2_000);
      await bench().reopen();
      expect(await bench().store.messages.progress(id)).toEqual([
        { pushOrigin: east, planned: 5, counts: { ...none, accepted: 1, gone: 1, retry: 1 } },
        { pushOrigin: west, planned: 2, counts: { ...none, rejected: 1 } },
      ]);
    });

    test("of a message that nothing is planned of is empty", async () => {
      const { id } = await startMessage(bench());
      expect(await bench().store.messages.progress(id)).toEqual([]);
      expect(await bench().store.messages.reasons(id)).toEqual([]);
      expect(await bench().store.messages.heldBy(id)).toEqual([]);
    });

    test("gives reasons by push origin, each with how many and what was said to one", async () => {
      const { store } = bench();
      for (const pushOrigin of [east, east, east, east, east, west])
        await bench().add({ pushOrigin });
      const { id } = await planMessage(bench(), { ttlSeconds: 3_600 });
      const first = await mustLease(store, 1_000, { messageId: id, pushOrigin: east });
      const walked = [
        refused(1),
        { ...refused(2), detail: "4,097 bytes" },
        retry(3, 5_000),
        refused(4, "failed", "too-large"),
        gone(5),
      ];
      await writePage(store, first, { walked }, 2_000);
      const second = await mustLease(store, 2_000, { messageId: id, pushOrigin: west });
      await writePage(store, second, { walked: [refused(6)] }, 2_000);
      const tooLarge = { reason: "too-large", detail: "", count: 1 };
      expect(await store.messages.reasons(id)).toEqual([
        { pushOrigin: east, kind: "rejected", ...tooLarge, detail: "4,097 bytes", count: 2 },
        { pushOrigin: east, kind: "failed", ...tooLarge },
        { pushOrigin: east, kind: "retry", reason: "busy", detail: "429", count: 1 },
        { pushOrigin: west, kind: "rejected", ...tooLarge },
      ]);
    });

    test("names the open breakers that hold it, until nothing of it waits there", async () => {
      const { store } = bench();
      await bench().add({ pushOrigin: east });
      await bench().add({ pushOrigin: west });
      const { id } = await planMessage(bench());
      expect(await store.messages.heldBy(id)).toEqual([]);
      await store.breakers.open(breaker());
      // Another message is held there.
      const elsewhere = "https://elsewhere.example";
      const token = await bench().add({ pushOrigin: elsewhere });
      await planMessage(bench(), { target: { kind: "token", token } });
      await store.breakers.open(breaker({ pushOrigin: elsewhere }));
      expect(await store.messages.heldBy(id)).toEqual([{ ...breaker(), probes: 0 }]);
      const batch = await mustLease(store, 3_000, { messageId: id, pushOrigin: east });
      await writePage(store, batch, { walked: [accepted(1)] }, 3_000);
      expect(await store.messages.heldBy(id)).toEqual([]);
      await store.breakers.open(breaker({ pushOrigin: west }));
      expect(await store.messages.heldBy(id)).toMatchObject([{ pushOrigin: west }]);
      await store.messages.cancel(bench().projectId, id, 4_000);
      expect(await store.messages.heldBy(id)).toEqual([]);
    });
  });
}
