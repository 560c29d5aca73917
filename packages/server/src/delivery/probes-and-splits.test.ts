import { afterEach, beforeEach, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome } from "../test/fake-push.ts";

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench();
});
afterEach(() => bench.close());

test("a hundred unproven push origins whose probes are due keep no proven one from its probe", async () => {
  const proven = "https://proven.notify.windows.com";
  bench.prove(proven);
  const hosts = Array.from({ length: 120 }, (_, index) => `https://x${index}.notify.windows.com`);
  for (const pushOrigin of [...hosts, proven]) {
    await bench.register(1, pushOrigin);
    const at = { pushOrigin, vapidKeyId: bench.store.vapidKeyId };
    const probeAtMs = pushOrigin === proven ? 2 : 1;
    await bench.store.store.breakers.open({
      ...at,
      reason: "unavailable",
      detail: "",
      openedAtMs: 1,
      probeAtMs,
    });
  }
  await bench.start({ probes: { most: 4, mostUnproven: 2 } });
  await bench.publish({ ttlSeconds: 86_400 });
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.push.answer = async (_, pushOrigin) => {
    if (pushOrigin !== proven) await promise;
    return acceptedOutcome;
  };
  await bench.until(() => bench.push.sent.length >= 2);
  for (let steps = 0; steps < 20; steps += 1) {
    await bench.dispatch().step(bench.stopping.signal, () => undefined);
  }
  expect(bench.push.sent.map(({ pushOrigin }) => pushOrigin)).toContain(proven);
  resolve();
  await bench.dispatch().turnsEnded();
});

test("a message that is cancelled while a slow push origin goes on apart counts what is in flight there", async () => {
  const [slow, fast] = ["https://slow.notify.windows.com", "https://fast.notify.windows.com"];
  bench.prove(slow, fast);
  await bench.register(3, slow);
  await bench.register(3, fast);
  bench.patience = async () => undefined;
  const { delivery, messages } = bench.store.store;
  const store = {
    ...delivery,
    async checkpoint(...which: Parameters<typeof delivery.checkpoint>) {
      if ((which[0].splits ?? []).length > 0) {
        await messages.cancel(bench.store.projectId, id, bench.clock.nowMs);
      }
      return delivery.checkpoint(...which);
    },
  };
  await bench.start({ store, pageSize: 10 });
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.push.answer = async (_, pushOrigin) => {
    if (pushOrigin === slow) await promise;
    return acceptedOutcome;
  };
  const id = await bench.publish();
  await bench.until(async () => (await bench.find(id)).counts.accepted === 3);
  resolve();
  await bench.dispatch().turnsEnded();
  expect((await bench.find(id)).counts).toEqual(countsOf({ accepted: 6 }));
});
