import { describe, expect, test } from "vitest";
import type { Batch, Message } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { leaseOf, mustLease, planMessage, writePage } from "./delivering.ts";

const [a, b] = ["https://a.example", "https://b.example"] as const;

/** A page that is under way ends before more of it is begun. */
export function stopContract(bench: () => ContractBench): void {
  const cancel = (id: string, nowMs: number) =>
    bench().store.messages.cancel(bench().projectId, id, nowMs);

  async function leasedAtBoth() {
    for (const pushOrigin of [a, b]) await bench().add({ pushOrigin });
    const message = await planMessage(bench());
    const { store } = bench();
    const batches = [
      await mustLease(store, 1_000, { pushOrigin: a }),
      await mustLease(store, 1_000, { pushOrigin: b }),
    ] as const;
    return { message, batches };
  }

  describe("stopping", () => {
    test("a cancelled message stops until each who works on it has confirmed, or lost their lease", async () => {
      const { message, batches } = await leasedAtBoth();
      const { delivery } = bench().store;
      const isStopping = (nowMs = 2_000) => delivery.isStopping(message.id, nowMs);
      expect(await isStopping()).toBe(false);
      const [one, two] = batches;
      // Nothing has ended yet.
      expect(await delivery.confirmStopped(leaseOf(one))).toBe(false);
      await cancel(message.id, 2_000);
      expect(await isStopping()).toBe(true);
      expect(await delivery.confirmStopped(leaseOf(one, "another"))).toBe(false);
      expect(await delivery.confirmStopped({ ...leaseOf(one), epoch: one.epoch + 1 })).toBe(false);
      expect(await delivery.confirmStopped(leaseOf(one))).toBe(true);
      expect(await isStopping()).toBe(true);
      expect(await isStopping(60_999)).toBe(true);
      expect(await isStopping(61_000)).toBe(false);
      expect(await delivery.confirmStopped(leaseOf(two))).toBe(true);
      expect(await isStopping()).toBe(false);
    });

    test.for([
      ["writes its page", (batch: Batch) => writePage(bench().store, batch, {}, 3_000)],
      ["gives it back", (batch: Batch) => bench().store.delivery.release(leaseOf(batch))],
    ] as const)("also once who works on it %s", async ([, end]) => {
      const { message, batches } = await leasedAtBoth();
      const { delivery } = bench().store;
      await cancel(message.id, 2_000);
      await end(batches[0]);
      expect(await delivery.isStopping(message.id, 3_000)).toBe(true);
      await end(batches[1]);
      expect(await delivery.isStopping(message.id, 3_000)).toBe(false);
      expect(await delivery.isStopping(message.id, 3_000)).toBe(false);
    });

    test("what was confirmed is of that lease and that message alone", async () => {
      const { message, batches } = await leasedAtBoth();
      const { store } = bench();
      for (const batch of batches) await store.delivery.release(leaseOf(batch));
      const others: Message[] = [await planMessage(bench()), await planMessage(bench())];
      for (const { id } of others) {
        await mustLease(store, 1_000, { messageId: id, pushOrigin: a });
        await cancel(id, 2_000);
      }
      expect(await store.delivery.isStopping(message.id, 2_000)).toBe(false);
      for (const { id } of others) expect(await store.delivery.isStopping(id, 2_000)).toBe(true);
    });
  });
}
