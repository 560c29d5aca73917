import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { testPlaces } from "../test/places.ts";
import { createMetrics } from "./create-metrics.ts";

let bench: ContractBench;
let folder: string;
let nowMs: number;
let streams: number;
let freeBytes: number;
beforeEach(async () => {
  ({ folder } = testPlaces());
  bench = await setUp({
    open: () => openSqliteStore(join(folder, "test.db"), 1),
    remove: async () => undefined,
  });
  nowMs = 1_000;
  streams = 0;
  freeBytes = 5_000;
});
afterEach(async () => {
  await bench.store.close();
  rmSync(folder, { recursive: true });
});

const create = () =>
  createMetrics({
    store: bench.store,
    eventStreams: () => streams,
    freeBytes: async () => freeBytes,
    lowBytes: 1_000,
    now: () => nowMs,
  });

/** Value of the line that begins so; undefined if there is none. */
async function read(metrics: ReturnType<typeof create>, series: string) {
  const line = (await metrics.text()).split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe("what is counted", () => {
  test("pushes by push service, and by what an operator calls the outcome", async () => {
    const metrics = create();
    metrics.pushes("fcm", "accepted", 3);
    metrics.pushes("fcm", "accepted", 4);
    metrics.pushes("fcm", "retry", 5);
    metrics.pushes("apple", "gone", 6);
    metrics.pushes("apple", "rejected", 7);
    metrics.pushes("other", "failed", 8);
    const counted = (service: string, outcome: string) =>
      read(metrics, `sineta_pushes_total{push_service="${service}",outcome="${outcome}"}`);
    expect(await counted("fcm", "accepted")).toBe(7);
    expect(await counted("fcm", "retried")).toBe(5);
    expect(await counted("apple", "ended")).toBe(6);
    expect(await counted("apple", "rejected")).toBe(7);
    expect(await counted("other", "failed")).toBe(8);
    // There from the start: a rate needs a value before the first.
    expect(await counted("mozilla", "accepted")).toBe(0);
  });

  test("breakers that open and close", async () => {
    const metrics = create();
    metrics.breaker("windows", "opened");
    metrics.breaker("windows", "opened");
    metrics.breaker("windows", "closed");
    const changed = (change: string) =>
      read(metrics, `sineta_breaker_changes_total{push_service="windows",change="${change}"}`);
    expect(await changed("opened")).toBe(2);
    expect(await changed("closed")).toBe(1);
  });

  test("by each one for itself", async () => {
    create().pushes("fcm", "accepted", 3);
    const series = `sineta_pushes_total{push_service="fcm",outcome="accepted"}`;
    expect(await read(create(), series)).toBe(0);
  });
});

describe("what is read when somebody asks", () => {
  const open = (pushOrigin: string, reason: "throttled" | "unavailable" = "throttled") =>
    bench.store.breakers.open({
      pushOrigin,
      vapidKeyId: bench.vapidKeyId,
      reason,
      detail: "",
      openedAtMs: 1,
      probeAtMs: 2,
    });

  test("messages by state, all states", async () => {
    const metrics = create();
    await bench.store.messages.publish(bench.message(), 1);
    await bench.store.messages.publish(bench.message(), 1);
    expect(await read(metrics, `sineta_messages{state="scheduled"}`)).toBe(2);
    for (const state of ["sending", "paused", "done", "cancelled"]) {
      expect(await read(metrics, `sineta_messages{state="${state}"}`)).toBe(0);
    }
  });

  test("the queue and its age", async () => {
    const metrics = create();
    expect(await read(metrics, "sineta_queue_age_seconds")).toBe(0);
    expect(await read(metrics, "sineta_batches_open")).toBe(0);
    await bench.add();
    const { id, scheduledAtMs } = bench.message();
    await bench.store.messages.publish({ ...bench.message(), id }, 1);
    await bench.store.delivery.startSending(id, scheduledAtMs);
    const message = await bench.store.delivery.nextToPlan(scheduledAtMs);
    if (message === null) throw new Error("nothing to plan");
    const options = { keys: 10, dueAt: () => scheduledAtMs };
    await bench.store.delivery.planPart(message, options, scheduledAtMs);
    nowMs = scheduledAtMs + 2_500;
    expect(await read(metrics, "sineta_queue_age_seconds")).toBe(2.5);
    expect(await read(metrics, "sineta_batches_open")).toBe(1);
    expect(await read(metrics, "sineta_retries_waiting")).toBe(0);
    // The clock was set back.
    nowMs = scheduledAtMs - 60_000;
    expect(await read(metrics, "sineta_queue_age_seconds")).toBe(0);
  });

  test("breakers while they are open", async () => {
    const metrics = create();
    const series = `sineta_breaker_open{push_service="apple",push_origin="https://web.push.apple.com",reason="unavailable"}`;
    expect(await read(metrics, series)).toBeUndefined();
    await open("https://web.push.apple.com", "unavailable");
    expect(await read(metrics, series)).toBe(1);
    await bench.store.breakers.close({
      pushOrigin: "https://web.push.apple.com",
      vapidKeyId: bench.vapidKeyId,
    });
    expect(await read(metrics, series)).toBeUndefined();
  });

  test("of many breakers fifty by their origin, and the rest together", async () => {
    const metrics = create();
    for (let index = 0; index < 60; index += 1) {
      await open(`https://wns2-${index}.notify.windows.com`);
    }
    const lines = (await metrics.text())
      .split("\n")
      .filter((line) => line.startsWith("sineta_breaker_open{"));
    expect(lines).toHaveLength(51);
    const rest = `sineta_breaker_open{push_service="windows",push_origin="",reason="throttled"} 10`;
    expect(lines).toContain(rest);
  });

  test("whether delivery is held, and why", async () => {
    const metrics = create();
    const held = async (reason: string) =>
      read(metrics, `sineta_delivery_held{reason="${reason}"}`);
    expect([await held("asked"), await held("restored"), await held("cloned")]).toEqual([0, 0, 0]);
    const asker = { actor: { kind: "command-line", name: "ana" }, address: null } as const;
    await bench.store.hold.begin({ reason: "restored", sinceMs: 1 }, asker);
    expect([await held("asked"), await held("restored"), await held("cloned")]).toEqual([0, 1, 0]);
  });

  test("event streams, and figures of Node itself", async () => {
    const metrics = create();
    streams = 3;
    expect(await read(metrics, "sineta_event_streams")).toBe(3);
    expect(await read(metrics, "process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  test("the disk's free space, and below which it is low", async () => {
    const metrics = create();
    expect(await read(metrics, "sineta_disk_free_bytes")).toBe(5_000);
    freeBytes = 999;
    expect(await read(metrics, "sineta_disk_free_bytes")).toBe(999);
    expect(await read(metrics, "sineta_disk_low_bytes")).toBe(1_000);
  });

  test("fails where the store does", async () => {
    const metrics = create();
    await bench.store.close();
    await expect(metrics.text()).rejects.toThrow(/not open|closed|destroyed/);
  });
});
