import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import {
  accepted,
  findMessage,
  leaseOf,
  mustLease,
  none,
  planMessage,
  retry,
  writePage,
} from "./delivering.ts";
import { movingOn } from "./moving.ts";

const [a, b] = ["https://a.example", "https://b.example"] as const;

export function zoneContract(bench: () => ContractBench): void {
  const { move, idsOf, dueOf, progressOf, deliverAll } = movingOn(bench);

  describe("a registration that moves to another time zone", () => {
    const [east, west, far] = ["Asia/Tokyo", "America/Lima", "Pacific/Apia"] as const;
    const dueAt = (timeZone: string | null) => (timeZone === east ? 3_000 : 9_000);

    /** Two in the east, one in the west, and a message with a local time to all of them. */
    async function planned() {
      for (const timeZone of [east, east, west]) await bench().add({ pushOrigin: a, timeZone });
      const over = { localTime: "1970-01-01T00:00:03", scheduledAtMs: 1_000 };
      return planMessage(bench(), over, { dueAt });
    }

    test("before its turn: it gets the message when its new one has it", async () => {
      const message = await planned();
      await move(1, { pushOrigin: a, timeZone: west }, "refresh");
      expect(await deliverAll(3_000)).toEqual([`2 at ${a}`]);
      expect(await deliverAll(8_999)).toEqual([]);
      expect(await deliverAll(9_000)).toEqual([`1 at ${a}`, `3 at ${a}`]);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, accepted: 3 });
      expect(await bench().store.delivery.finishMessages(9_000)).toEqual([message.id]);
    });

    test("where its time has passed: at once, and with all of the TTL", async () => {
      await planned();
      const { store, candidate } = bench();
      expect(await deliverAll(3_000)).toEqual([`1 at ${a}`, `2 at ${a}`]);
      const back = candidate({ pushOrigin: a, timeZone: east });
      await store.registrations.register(back, () => ({ kind: "refresh", id: 3 }), 5_000);
      const batch = await mustLease(store, 5_000);
      expect(batch.dueAtMs).toBe(5_000);
      await store.delivery.release(leaseOf(batch));
      expect(await deliverAll(5_000)).toEqual([`3 at ${a}`]);
      expect(await deliverAll(9_000)).toEqual([]);
    });

    test("after its turn: it does not get the message a second time", async () => {
      const message = await planned();
      expect(await deliverAll(3_000)).toEqual([`1 at ${a}`, `2 at ${a}`]);
      await move(1, { pushOrigin: a, timeZone: west }, "refresh");
      expect(await deliverAll(9_000)).toEqual([`3 at ${a}`]);
      expect((await findMessage(bench(), message.id)).counts).toEqual({ ...none, accepted: 3 });
    });

    test("with a retry: it has no second turn once that is accepted", async () => {
      await planned();
      const { store } = bench();
      const batch = await mustLease(store, 3_000);
      await writePage(store, batch, { walked: [retry(1, 4_000), accepted(2)] }, 3_000);
      await move(1, { pushOrigin: a, timeZone: west }, "refresh");
      expect(await deliverAll(4_000)).toEqual([`1 at ${a}`]);
      expect(await deliverAll(9_000)).toEqual([`3 at ${a}`]);
    });

    test("and another push service at once: a message at one time for all keeps its time", async () => {
      await bench().add({ pushOrigin: a, timeZone: east });
      await planMessage(bench());
      await move(1, { pushOrigin: b, timeZone: west });
      expect((await mustLease(bench().store, 2_000, { pushOrigin: b })).dueAtMs).toBe(1_000);
    });

    test("of which the message has no batch: it keeps its time", async () => {
      await planned();
      await move(1, { pushOrigin: a, timeZone: far }, "refresh");
      expect(await deliverAll(3_000)).toEqual([`1 at ${a}`, `2 at ${a}`]);
    });

    test("which changes nothing for a message at one time for all, nor for its retries", async () => {
      for (const timeZone of [east, west]) await bench().add({ pushOrigin: a, timeZone });
      const message = await planMessage(bench());
      const { store } = bench();
      const batch = await mustLease(store, 1_000);
      await writePage(store, batch, { to: 1, walked: [retry(1, 4_000)] }, 1_000);
      for (const id of [1, 2]) await move(id, { pushOrigin: a, timeZone: far }, "refresh");
      expect(await progressOf(message.id)).toEqual({ [a]: { planned: 2, retry: 1 } });
      const again = await mustLease(store, 4_000);
      expect(await idsOf(again)).toEqual([2]);
      expect(await dueOf(again, 4_000)).toMatchObject([{ registrationId: 1, attempts: 1 }]);
    });
  });
}
