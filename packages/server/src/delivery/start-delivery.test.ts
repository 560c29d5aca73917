/** A delivery on a real database whose hold comes and goes, as another process would set it. */
import { setTimeout as delay } from "node:timers/promises";
import { randomBytes, randomUUIDv7 } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDataFolder } from "../data-folder.ts";
import { createLog } from "../log.ts";
import { openDefaultProject } from "../projects/open.ts";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import type { DeliveryHold, Store } from "../store/port.ts";
import { acceptedOutcome, fakePush, type FakePush } from "../test/fake-push.ts";
import { patience } from "../test/patience.ts";
import { testPlaces } from "../test/places.ts";
import { startDelivery, type Delivery } from "./start-delivery.ts";

const asked: DeliveryHold = { reason: "asked", sinceMs: 5 };
const asker = { actor: { kind: "command-line", name: "ana" }, address: null } as const;
const everything = { asOfMs: 10, sendDue: false, send: [] };

let places: ReturnType<typeof testPlaces>;
let bench: ContractBench;
let another: Store;
let push: FakePush;
let delivery: Delivery;
let looks: number;
let logged: { level: number; msg: string; reason?: string }[];
beforeEach(async () => {
  places = testPlaces();
  const { dataFolder } = places;
  const store = await openDataFolder(dataFolder, 1);
  await openDefaultProject({ store, dataFolder, randomBytes, nowMs: 1 });
  bench = await setUp({ open: async () => store, remove: async () => undefined });
  another = await openDataFolder(dataFolder, 1);
  push = fakePush();
  looks = 0;
  logged = [];
});
afterEach(async () => {
  await delivery.stop();
  await another.close();
  await bench.store.close();
  rmSync(places.folder, { recursive: true });
});

async function start(): Promise<void> {
  const { store } = bench;
  const find = () => {
    looks += 1;
    return store.hold.find();
  };
  delivery = await startDelivery({
    store: { ...store, hold: { ...store.hold, find } },
    send: push.send,
    withdraw: async () => undefined,
    now: () => Date.now(),
    metrics: { pushes: () => undefined, breaker: () => undefined },
    pause: async (milliseconds, signal) => {
      await delay(milliseconds, undefined, { signal }).catch(() => undefined);
    },
    log: createLog("warn", { write: (line) => logged.push(JSON.parse(line)) }),
  });
}

/** Resolves when the delivery has looked so often whether it is held. */
async function looked(times: number): Promise<void> {
  const until = looks + times;
  await vi.waitUntil(() => looks >= until, patience);
}

async function publish(): Promise<string> {
  const message = bench.message({
    id: randomUUIDv7(),
    ttlSeconds: 3_600,
    scheduledAtMs: Date.now(),
  });
  await bench.store.messages.publish(message, Date.now());
  return message.id;
}

const stateOf = async (id: string) => (await bench.store.messages.find(bench.projectId, id))?.state;

async function untilDone(id: string): Promise<void> {
  await vi.waitUntil(async () => (await stateOf(id)) === "done", patience);
}

describe("a delivery that is held", () => {
  test("at its start sends nothing, until another process resumes it; the log tells both once", async () => {
    await bench.add();
    await another.hold.begin(asked, asker);
    const id = await publish();
    await start();
    await looked(5);
    expect(push.sent).toEqual([]);
    expect(await stateOf(id)).toBe("scheduled");
    await another.hold.resume(asked, everything, asker, 10);
    await untilDone(id);
    expect(push.sent).toHaveLength(1);
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      [
        40,
        "delivery is held: an operator has stopped it; sineta resume lists what would go out, and resumes the delivery",
      ],
      [40, "delivery has resumed"],
    ]);
    expect(logged[0]).toMatchObject({ reason: "asked", since: "1970-01-01T00:00:00.005Z" });
  });

  test("sends no probe, either", async () => {
    await bench.add();
    const pushOrigin = "https://push.example";
    const times = { openedAtMs: 1, probeAtMs: 1 };
    const held = { pushOrigin, vapidKeyId: bench.vapidKeyId, reason: "unavailable" } as const;
    await bench.store.breakers.open({ ...held, ...times, detail: "" });
    await another.hold.begin(asked, asker);
    const id = await publish();
    const now = Date.now();
    await bench.store.delivery.startSending(id, now);
    const message = await bench.store.delivery.nextToPlan(now);
    if (message === null) throw new Error("nothing to plan");
    await bench.store.delivery.planPart(message, { keys: 10, dueAt: () => now }, now);
    await start();
    await looked(5);
    expect(push.sent).toEqual([]);
    await another.hold.resume(asked, everything, asker, 10);
    await untilDone(id);
    expect(push.sent).toHaveLength(1);
  });

  test("in the middle of a broadcast begins no other page; the rest goes once after the resume", async () => {
    const everybody = 1_200;
    for (let count = 0; count < everybody; count += 1) await bench.add();
    let held: Promise<unknown> | undefined;
    push.answer = async () => {
      await (held ??= another.hold.begin(asked, asker));
      return acceptedOutcome;
    };
    const id = await publish();
    await start();
    await vi.waitUntil(() => logged.length === 1, patience);
    await looked(5);
    const before = push.sent.length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(everybody);
    await looked(5);
    expect(push.sent).toHaveLength(before);
    await another.hold.resume(asked, everything, asker, 10);
    await untilDone(id);
    const recipients = push.sent.map(({ registrationId }) => registrationId);
    expect(recipients).toHaveLength(everybody);
    expect(new Set(recipients).size).toBe(everybody);
  });
});
