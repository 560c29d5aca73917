import { afterEach, beforeEach, expect, test } from "vitest";
import type { AuditEntry } from "../store/port.ts";
import { deliveryBench, type DeliveryBench } from "../test/delivery-bench.ts";
import { stopFirst } from "./stop-first.ts";

let bench: DeliveryBench;
beforeEach(async () => {
  bench = await deliveryBench();
});
afterEach(() => bench.close());

const audit: AuditEntry = {
  actor: { kind: "command-line", name: "root" },
  address: null,
  projectId: null,
  action: "registration.removed",
  subject: "1",
  change: null,
};

/** The store before which a delivery is stopped, as the case lets it: with what it was asked, and what it found written. */
function scene() {
  const asked: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { store, projectId } = bench.store;
  const live = () => store.registrations.countLive(projectId);
  const answering = stopFirst(store, () => ({
    async stopEnded() {
      asked.push(["ended", await store.messages.countByState()]);
      await promise;
    },
    async stopFor(id) {
      asked.push([id, await live()]);
      await promise;
    },
  }));
  return { answering, asked, stopped: () => resolve() };
}

/** Whether it waits for the delivery, and what it gives then. */
async function waits<Result>({ asked, stopped }: ReturnType<typeof scene>, done: Promise<Result>) {
  let isDone = false;
  const noted = done.then((result) => {
    isDone = true;
    return result;
  });
  while (asked.length === 0) await new Promise(setImmediate);
  expect(isDone).toBe(false);
  stopped();
  return noted;
}

test("cancelling a message is answered when the delivery has stopped, after it is written", async () => {
  const id = await bench.publish();
  const stage = scene();
  const { projectId } = bench.store;
  expect(await waits(stage, stage.answering.messages.cancel(projectId, id, 1))).toBe(true);
  expect(stage.asked).toEqual([["ended", { cancelled: 1 }]]);
  // One that has ended stops nothing.
  expect(await stage.answering.messages.cancel(projectId, id, 1)).toBe(false);
  expect(stage.asked).toHaveLength(1);
});

test("so is a browser that leaves, and one that is forgotten", async () => {
  await bench.register(2);
  const leaving = scene();
  expect(await waits(leaving, leaving.answering.registrations.leave(1, 1))).toBe(true);
  expect(leaving.asked).toEqual([[1, 1]]);
  const forgotten = scene();
  await waits(forgotten, forgotten.answering.registrations.forget(2, "new", 1));
  expect(forgotten.asked).toEqual([[2, 0]]);
});

test("so is a registration that an operator removes, found before its token is gone", async () => {
  await bench.register(1);
  const stage = scene();
  const { projectId } = bench.store;
  const token = bench.tokens[0] ?? "";
  const removed = stage.answering.audience.remove(projectId, token, audit, 1);
  expect(await waits(stage, removed)).toBe(true);
  expect(stage.asked).toEqual([[1, 0]]);
  expect(await stage.answering.audience.remove(projectId, "none", audit, 1)).toBe(false);
  expect(stage.asked).toHaveLength(1);
});

test("as long as no delivery runs nobody waits", async () => {
  await bench.register(1);
  const id = await bench.publish();
  const { store, projectId } = bench.store;
  const answering = stopFirst(store, () => null);
  expect(await answering.messages.cancel(projectId, id, 1)).toBe(true);
  expect(await answering.registrations.leave(1, 1)).toBe(true);
});
