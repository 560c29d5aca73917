import { describe, expect, test } from "vitest";
import type { Breaker, PushOriginKey } from "../port.ts";
import type { ContractBench } from "./bench.ts";
import { accepted, leaseAll, planMessage, refused, writePage } from "./delivering.ts";

export function breakerContract(bench: () => ContractBench): void {
  const at = (pushOrigin = "https://push.example"): PushOriginKey => ({
    pushOrigin,
    vapidKeyId: bench().vapidKeyId,
  });
  const breaker = (over: Partial<Breaker> = {}): Omit<Breaker, "probes"> => ({
    ...at(),
    reason: "unavailable",
    detail: "503",
    openedAtMs: 1_000,
    probeAtMs: 2_000,
    ...over,
  });
  const listed = () => bench().store.breakers.list();

  describe("breakers", () => {
    test("open once, are kept, and close once", async () => {
      expect(await bench().store.breakers.open(breaker())).toBe(true);
      await bench().reopen();
      const { breakers } = bench().store;
      const later = breaker({ reason: "throttled", openedAtMs: 1_500, probeAtMs: 9_000 });
      expect(await breakers.open(later)).toBe(false);
      expect(await listed()).toEqual([{ ...breaker(), probes: 0 }]);
      expect(await breakers.close(at())).toBe(true);
      expect(await breakers.close(at())).toBe(false);
      expect(await listed()).toEqual([]);
      expect(await breakers.open(later)).toBe(true);
      expect(await listed()).toEqual([{ ...later, probes: 0 }]);
    });

    test("are one for each push origin and VAPID key", async () => {
      const { store } = bench();
      const other = await store.projects.ensure("other", 1);
      const key = { publicKey: "key-2", sealedPrivateKey: Buffer.from("other") };
      await store.projects.addFirstVapidKey(other.id, key, 1);
      const [otherKey] = await store.projects.vapidKeys(other.id);
      const apart = [
        breaker(),
        breaker({ pushOrigin: "https://east.example" }),
        breaker({ vapidKeyId: otherKey?.id ?? 0 }),
      ];
      for (const each of apart) expect(await store.breakers.open(each)).toBe(true);
      expect(await listed()).toHaveLength(3);
      const failure = { reason: "throttled", detail: "429", probeAtMs: 8_000 } as const;
      expect(await store.breakers.takeProbe(at(), 2_000, 3_000)).toBe(true);
      expect(await store.breakers.probeFailed(at(), failure)).toBe(true);
      expect((await listed()).filter(({ probeAtMs }) => probeAtMs === 2_000)).toHaveLength(2);
      expect(await store.breakers.close(at())).toBe(true);
      expect(
        (await listed()).map(({ pushOrigin, vapidKeyId }) => [pushOrigin, vapidKeyId]),
      ).toEqual([
        ["https://east.example", bench().vapidKeyId],
        ["https://push.example", otherKey?.id],
      ]);
    });

    test("give the one probe that is due to one of many", async () => {
      const { breakers } = bench().store;
      expect(await breakers.takeProbe(at(), 5_000, 6_000)).toBe(false);
      await breakers.open(breaker());
      await breakers.open(breaker({ pushOrigin: "https://east.example" }));
      expect(await breakers.takeProbe(at(), 1_999, 6_000)).toBe(false);
      const results = await Promise.all(
        Array.from({ length: 10 }, () => breakers.takeProbe(at(), 2_000, 6_000)),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await breakers.takeProbe(at(), 5_999, 9_000)).toBe(false);
      expect(await breakers.takeProbe(at(), 6_000, 9_000)).toBe(true);
      expect((await listed()).map(({ probeAtMs, probes }) => [probeAtMs, probes])).toEqual([
        [2_000, 0],
        [9_000, 0],
      ]);
    });

    test("count the probes that failed, and keep what the last one met", async () => {
      const { breakers } = bench().store;
      const failure = { reason: "vapid-refused", detail: "403", probeAtMs: 8_000 } as const;
      expect(await breakers.probeFailed(at(), failure)).toBe(false);
      expect(await listed()).toEqual([]);
      await breakers.open(breaker());
      await breakers.open(breaker({ pushOrigin: "https://east.example" }));
      expect(await breakers.probeFailed(at(), { ...failure, reason: "throttled" })).toBe(true);
      expect(await breakers.probeFailed(at(), failure)).toBe(true);
      expect(await listed()).toEqual([
        { ...breaker({ pushOrigin: "https://east.example" }), probes: 0 },
        { ...breaker(failure), probes: 2 },
      ]);
    });

    test("are probed at once again where a probe told nothing", async () => {
      const { breakers } = bench().store;
      expect(await breakers.probeAgain(at(), 3_000)).toBe(false);
      await breakers.open(breaker());
      await breakers.open(breaker({ pushOrigin: "https://east.example" }));
      expect(await breakers.takeProbe(at(), 2_000, 7_000)).toBe(true);
      expect(await breakers.probeAgain(at(), 3_000)).toBe(true);
      expect(await listed()).toEqual([
        { ...breaker({ pushOrigin: "https://east.example" }), probes: 0 },
        { ...breaker({ probeAtMs: 3_000 }), probes: 0 },
      ]);
    });

    test("know where something was accepted, of one push origin and one key", async () => {
      const { store } = bench();
      for (const pushOrigin of ["https://push.example", "https://east.example"]) {
        await bench().add({ pushOrigin });
      }
      const message = await planMessage(bench());
      for await (const batch of leaseAll(store, 1_000, { messageId: message.id })) {
        const { pushService, vapidKeyId } = batch;
        const here = { pushOrigin: pushService, vapidKeyId };
        expect(await store.breakers.hasEverAccepted(here)).toBe(false);
        const isHere = pushService === "https://push.example";
        const walked = [isHere ? accepted(1) : refused(2)];
        await writePage(store, batch, { walked }, 1_001);
      }
      await bench().reopen();
      const { breakers } = bench().store;
      expect(await breakers.hasEverAccepted(at())).toBe(true);
      expect(await breakers.hasEverAccepted(at("https://east.example"))).toBe(false);
      const other = await bench().addVapidKey("key-2");
      expect(await breakers.hasEverAccepted({ ...at(), vapidKeyId: other })).toBe(false);
    });

    test("may all be probed at once; none is put off by it", async () => {
      const { breakers } = bench().store;
      await breakers.open(breaker({ pushOrigin: "https://early.example", probeAtMs: 2_000 }));
      await breakers.open(breaker({ pushOrigin: "https://late.example", probeAtMs: 9_000 }));
      await breakers.probeAllNow(5_000);
      expect((await listed()).map(({ probeAtMs }) => probeAtMs)).toEqual([2_000, 5_000]);
    });
  });
}
