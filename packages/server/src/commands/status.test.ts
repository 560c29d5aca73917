import { randomBytes, randomUUIDv7 } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import { takeServeLock } from "../serve-lock.ts";
import type { BreakerReason, Store } from "../store/port.ts";
import { setUp } from "../store/contract/bench.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";
import { statusText, type Status } from "./status.ts";

const status: Status = {
  running: true,
  registrations: [
    { pushService: "fcm", count: 1200 },
    { pushService: "apple", count: 7 },
  ],
  messages: { sending: 1, done: 12 },
  queue: { openBatches: 3, retries: 4, waitingSeconds: 65 },
  breakers: [
    {
      pushService: "apple",
      pushOrigin: "https://web.push.apple.com",
      vapidKey: `B${"x".repeat(86)}`,
      reason: "vapid-refused",
      detail: "403 BadJwt\u001b[2JToken",
      advice: "It refuses the VAPID key: do something.",
      since: "2026-11-20T12:34:56Z",
      nextProbeAt: "2026-11-20T12:44:56Z",
    },
  ],
  healthy: false,
};

describe("for people", () => {
  test("it has every figure, and obeys no push service", () => {
    expect(statusText(status)).toBe(`server             runs
open batches       3
to be tried again  4
waiting for        65 s

Live registrations, by push service:
  fcm    1200
  apple  7

Messages, by state:
  sending  1
  done     12

Push services that are held back:
  apple, https://web.push.apple.com, for the VAPID key Bxxxxxxxxxxx...
    since 2026-11-20T12:34:56Z, tried again at 2026-11-20T12:44:56Z
    It refuses the VAPID key: do something.
    It said: 403 BadJwt?[2JToken
`);
  });

  test("nothing is `none`, and a server that does not run is told of", () => {
    const stopped = {
      ...status,
      running: false,
      registrations: [],
      messages: { scheduled: 1 },
      queue: { openBatches: 0, retries: 0, waitingSeconds: null },
      breakers: [],
    };
    expect(statusText(stopped))
      .toBe(`server             does not run: messages wait, sineta serve sends them
open batches       0
to be tried again  0
waiting for        -

Live registrations, by push service:
  none

Messages, by state:
  scheduled  1

Push services that are held back:
  none
`);
    const nothing = { ...stopped, messages: {} };
    expect(statusText(nothing)).toMatch(/^server +does not run\n/);
  });
});

describe("sineta status", () => {
  let places: ReturnType<typeof testPlaces>;
  let store: Store;
  let project: Awaited<ReturnType<typeof openDefaultProject>>;
  const undo: (() => void)[] = [];
  beforeEach(async () => {
    places = testPlaces();
    store = await openDataFolder(places.dataFolder, 1);
    const { dataFolder } = places;
    project = await openDefaultProject({ store, dataFolder, randomBytes, nowMs: 1 });
  });
  afterEach(async () => {
    for (const stop of undo.splice(0)) stop();
    await store.close();
    rmSync(places.folder, { recursive: true });
  });

  const serve = () => undo.push(takeServeLock(places.dataFolder));
  const sineta = (...words: string[]) => runCommand(["status", ...words], places);

  async function read(): Promise<{ exit: number; status: Status }> {
    const { status: exit, out } = await sineta("--json");
    return { exit, status: JSON.parse(out) };
  }

  const publish = (scheduledAtMs = 1) =>
    store.messages.publish(
      {
        id: randomUUIDv7(),
        projectId: project.id,
        target: { kind: "all" },
        notification: { title: "Olá" },
        data: null,
        ttlSeconds: 60,
        urgency: "normal",
        collapseKey: null,
        scheduledAtMs,
        localTime: null,
      },
      1,
    );

  const open = (reason: BreakerReason, pushOrigin = "https://web.push.apple.com") =>
    store.breakers.open({
      pushOrigin,
      vapidKeyId: project.keys.current.id,
      reason,
      detail: "what it said",
      openedAtMs: Date.UTC(2026, 10, 20, 12, 34, 56, 789),
      probeAtMs: Date.UTC(2026, 10, 20, 12, 44, 56, 789),
    });

  test("is well where nothing waits", async () => {
    expect(await read()).toEqual({
      exit: 0,
      status: {
        running: false,
        registrations: [],
        messages: {},
        queue: { openBatches: 0, retries: 0, waitingSeconds: null },
        breakers: [],
        healthy: true,
      },
    });
    serve();
    expect((await read()).status.running).toBe(true);
  });

  test("adds up the registrations of each push service, live ones alone", async () => {
    const bench = await setUp({ open: async () => store, remove: async () => undefined });
    const own = { projectId: project.id, vapidKeyId: project.keys.current.id };
    for (const host of ["a.notify.windows.com", "b.notify.windows.com", "web.push.apple.com"]) {
      await bench.add({ ...own, pushOrigin: `https://${host}` });
    }
    const token = await bench.add({ ...own, pushOrigin: "https://web.push.apple.com" });
    const left = await store.registrations.find(project.id, token);
    await store.registrations.leave(left?.id ?? 0, 1);
    const { registrations } = (await read()).status;
    expect(registrations.toSorted((a, b) => b.count - a.count)).toEqual([
      { pushService: "windows", count: 2 },
      { pushService: "apple", count: 1 },
    ]);
  });

  test("needs somebody while messages wait and no server runs", async () => {
    await publish();
    expect(await read()).toMatchObject({
      exit: 1,
      status: { messages: { scheduled: 1 }, healthy: false },
    });
    serve();
    expect(await read()).toMatchObject({ exit: 0, status: { running: true, healthy: true } });
  });

  test("tells how long the oldest batch has waited", async () => {
    serve();
    const bench = await setUp({ open: async () => store, remove: async () => undefined });
    await bench.add({ projectId: project.id, vapidKeyId: project.keys.current.id });
    const dueAtMs = Date.now() - 90_000;
    await publish(dueAtMs);
    const due = await store.delivery.nextToPlan(dueAtMs);
    await store.delivery.startSending(due?.id ?? "", dueAtMs);
    const message = await store.delivery.nextToPlan(dueAtMs);
    if (message === null) throw new Error("nothing to plan");
    await store.delivery.planPart(message, { keys: 10, dueAt: () => dueAtMs }, dueAtMs);
    const { queue } = (await read()).status;
    expect(queue).toMatchObject({ openBatches: 1, retries: 0 });
    expect(queue.waitingSeconds).toBeGreaterThanOrEqual(90);
  });

  test.for([
    ["vapid-refused", 1, "SINETA_VAPID_SUBJECT"],
    ["refuses-all", 1, "vendor"],
    ["unavailable", 1, "does not answer"],
    ["throttled", 0, "nothing needs to be done"],
  ] as const)("says what to do about a breaker that is open: %s", async ([reason, exit, words]) => {
    serve();
    await open(reason);
    const { out, err, status: shown } = await sineta();
    expect({ shown, err }).toEqual({ shown: exit, err: "" });
    expect(out).toContain(
      `  apple, https://web.push.apple.com, for the VAPID key ${project.keys.current.publicKey.slice(0, 12)}...\n`,
    );
    expect(out).toContain("since 2026-11-20T12:34:56Z, tried again at 2026-11-20T12:44:56Z\n");
    expect(out).toContain(words);
    expect(out).toContain("It said: what it said\n");
    const { breakers, healthy } = (await read()).status;
    expect(healthy).toBe(exit === 0);
    expect(breakers).toMatchObject([{ reason, vapidKey: project.keys.current.publicKey }]);
  });

  test("makes nothing where there is nothing", async () => {
    const { status: exit, err } = await sineta("--data", "elsewhere");
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining("no Sineta data") });
  });
});
