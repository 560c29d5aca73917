import { afterEach, beforeEach, expect, test } from "vitest";
import { countsOf, deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { acceptedOutcome } from "../test/fake-push.ts";

const hosts = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `https://${name}${index}.notify.windows.com`);
const proven = hosts("proven", 6);
const unproven = hosts("unproven", 6);

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench();
  bench.prove(...proven);
});
afterEach(() => bench.close());

/** A breaker holds each of them, and its probe is due from then on. */
async function hold(pushOrigins: readonly string[], probeAtMs: number): Promise<void> {
  for (const pushOrigin of pushOrigins) {
    await bench.register(1, pushOrigin);
    await bench.store.store.breakers.open({
      pushOrigin,
      vapidKeyId: bench.store.vapidKeyId,
      reason: "unavailable",
      detail: "",
      openedAtMs: 1,
      probeAtMs,
    });
  }
}

/** Probes are not answered until they are let go. */
function holdAnswers(): { letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.push.answer = async () => {
    await promise;
    return acceptedOutcome;
  };
  return { letGo: () => resolve() };
}

const sentTo = () => bench.push.sent.map(({ pushOrigin }) => pushOrigin);
const isOf = (pushOrigins: readonly string[]) =>
  sentTo().filter((each) => pushOrigins.includes(each));

/** Some steps, none of which waits for what it has begun. */
async function steps(): Promise<void> {
  const dispatch = bench.dispatch();
  for (let count = 0; count < 30; count += 1) {
    await dispatch.step(bench.stopping.signal, () => undefined);
  }
  await new Promise(setImmediate);
}

test("so many probes are made at once, and fewer at push origins that have never accepted anything", async () => {
  await bench.start({ probes: { most: 4, mostUnproven: 2 } });
  await hold(unproven, 1);
  await hold(proven, 2);
  const id = await bench.publish({ ttlSeconds: 86_400 });
  const { letGo } = holdAnswers();
  await bench.until(() => bench.push.sent.length >= 6);
  await steps();
  // Of each kind those that are due longest, and none of them twice.
  expect(isOf(unproven).toSorted()).toEqual(unproven.slice(0, 2));
  expect(isOf(proven).toSorted()).toEqual(proven.slice(0, 4));
  letGo();
  await bench.untilIdle();
  expect(await bench.find(id)).toMatchObject({ state: "done", counts: countsOf({ accepted: 12 }) });
  expect(bench.push.sent).toHaveLength(12);
});

test("a push origin that does not answer is probed once at a time, though its next probe is due", async () => {
  await hold(proven.slice(0, 1), 1);
  await bench.publish({ ttlSeconds: 86_400 });
  await bench.publish({ ttlSeconds: 86_400 });
  const { letGo } = holdAnswers();
  await bench.until(() => bench.push.sent.length === 1);
  bench.clock.nowMs += 30_000;
  await steps();
  expect(bench.push.sent).toHaveLength(1);
  letGo();
  await bench.untilIdle();
  expect(bench.push.sent).toHaveLength(2);
});
