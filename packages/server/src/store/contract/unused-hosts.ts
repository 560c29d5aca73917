import { describe, expect, test } from "vitest";
import type { ContractBench } from "./bench.ts";
import { planMessage } from "./delivering.ts";
import { idOf } from "./members.ts";

const [east, west, north] = [
  "https://east.example",
  "https://west.example",
  "https://north.example",
];

/** What is known of push origins: strangers make up any number of them. */
export function unusedHostContract(bench: () => ContractBench): void {
  const openBreaker = (pushOrigin: string) =>
    bench().store.breakers.open({
      pushOrigin,
      vapidKeyId: bench().vapidKeyId,
      reason: "unavailable",
      detail: "",
      openedAtMs: 1,
      probeAtMs: 1,
    });
  const held = async () => (await bench().store.breakers.list()).map((each) => each.pushOrigin);

  describe("push origins that nobody is at any more", () => {
    test("have no breaker any more, but those that somebody is at, or that have accepted something", async () => {
      const { store } = bench();
      await bench().prove(north);
      const token = await bench().add({ pushOrigin: east });
      await bench().add({ pushOrigin: west });
      for (const each of [east, west, north]) await openBreaker(each);
      expect(await store.retention.removeHosts(9)).toBe(0);
      await store.registrations.leave(await idOf(bench(), token), 2);
      expect(await store.retention.removeHosts(9)).toBe(1);
      expect(await held()).toEqual([north, west]);
      // Whoever comes there again is sent to, and a breaker may open anew.
      expect(await openBreaker(east)).toBe(true);
    });

    test("keep the breaker that a message waits for, until it has ended", async () => {
      const { store, projectId } = bench();
      const token = await bench().add({ pushOrigin: east });
      await openBreaker(east);
      const { id } = await planMessage(bench());
      await store.registrations.leave(await idOf(bench(), token), 2);
      expect(await store.retention.removeHosts(9)).toBe(0);
      await store.messages.cancel(projectId, id, 3_000);
      expect(await store.retention.removeHosts(9)).toBe(1);
      expect(await held()).toEqual([]);
    });

    test("are no longer given up; so many are removed at a time", async () => {
      const { store } = bench();
      const token = await bench().add({ pushOrigin: east });
      for (const each of [east, west, north]) await store.delivery.giveUp(each, 1);
      expect(await store.retention.removeHosts(1)).toBe(1);
      expect(await store.retention.removeHosts(9)).toBe(1);
      const givenUp = (each: string) => store.delivery.hasGivenUp(each);
      expect(await Promise.all([east, west, north].map(givenUp))).toEqual([true, false, false]);
      await store.registrations.leave(await idOf(bench(), token), 2);
      expect(await store.retention.removeHosts(9)).toBe(1);
      expect(await givenUp(east)).toBe(false);
    });
  });
}
