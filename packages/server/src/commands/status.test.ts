import { randomBytes, randomUUIDv7 } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder } from "../data-folder.ts";
import { openDefaultProject } from "../projects/open.ts";
import { takeServeLock } from "../serve-lock.ts";
import type { BreakerReason, Store } from "../store/port.ts";
import { setUp } from "../store/contract/bench.ts";
import { mustLease, writePage } from "../store/contract/delivering.ts";
import { testPlaces } from "../test/places.ts";
import { runCommand } from "../test/run-command.ts";
import { statusText, type Status } from "./status.ts";

const status: Status = {
  held: null,
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
  notAccepting: [
    {
      pushService: "fcm",
      pushOrigin: "https://fcm.googleapis.com",
      vapidKey: `B${"x".repeat(86)}`,
      registrations: 3,
      reason: "name-not-resolved",
      detail: "getaddrinfo ENOTFOUND fcm.googleapis.com",
      advice: "No name: do something else.",
      since: "2026-11-20T12:30:00Z",
    },
  ],
  healthy: false,
};
const beforeProbeMs = Date.parse("2026-11-20T12:40:00Z");

describe("for people", () => {
  test("it has every figure, and obeys no push service", () => {
    expect(statusText(status, beforeProbeMs)).toBe(`server             runs
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
    since 2026-11-20T12:34:56Z. It is tried again at 2026-11-20T12:44:56Z.
    vapid-refused: It refuses the VAPID key: do something.
    It said: 403 BadJwt?[2JToken.

Push services that accept nothing at the moment:
  fcm, https://fcm.googleapis.com, for the VAPID key Bxxxxxxxxxxx...
    3 registrations were tried in vain since 2026-11-20T12:30:00Z, and nothing accepted; what waits is tried again.
    name-not-resolved: No name: do something else.
    The cause: getaddrinfo ENOTFOUND fcm.googleapis.com.
`);
  });

  test("of one push service's hosts, which anybody can make up, it has five, and says how many more there are", () => {
    const hostsOf = <Each extends { pushOrigin: string; reason: string }>(
      of: readonly Each[],
      over: Partial<Each>,
    ): Each[] =>
      Array.from({ length: 1_000 }, (_, index) => index).flatMap((index) =>
        of.map((each) => ({ ...each, ...over, pushOrigin: `https://h${index}.example` })),
      );
    const { breakers, notAccepting } = status;
    const many = {
      ...status,
      breakers: [
        ...hostsOf(breakers, { pushService: "windows", reason: "unavailable" }),
        ...hostsOf(breakers.slice(0, 1), {}).slice(0, 7),
      ],
      notAccepting: hostsOf(notAccepting, { pushService: "windows" }).slice(0, 6),
    };
    const [held = "", silent = ""] = statusText(many, beforeProbeMs)
      .split("Push services that are held back:")
      .slice(1)
      .flatMap((text) => text.split("Push services that accept nothing"));
    const origins = (text: string, service: string) =>
      text.match(new RegExp(`^  ${service}, \\S+, `, "gm"))?.map((line) => line.split(", ")[1]);
    const firstFive = [0, 1, 2, 3, 4].map((index) => `https://h${index}.example`);
    expect(origins(held, "windows")).toEqual(firstFive);
    expect(held).toContain("  windows: 995 more push origins, which --json has\n");
    // Where the key is refused, somebody has to mend each.
    expect(origins(held, "apple")).toHaveLength(7);
    expect(origins(silent, "windows")).toEqual(firstFive);
    expect(silent).toContain("  windows: 1 more push origin, which --json has\n");
  });

  test("a probe whose time has come is being made, and lies in no past", () => {
    const text = statusText(status, Date.parse("2026-11-20T12:44:56Z"));
    expect(text).toContain("It is being tried now, or with the next push that is due.\n");
    expect(text).not.toContain("12:44:56");
  });

  test("nothing is tried where no server runs", () => {
    const text = statusText({ ...status, running: false }, Date.parse("2026-11-20T12:44:56Z"));
    expect(text).toContain("It is tried again when the server runs.\n");
    expect(text).not.toContain("now");
  });

  test("what came instead of an answer is no word of the push service", () => {
    const [breaker] = status.breakers;
    if (breaker === undefined) throw new Error("no breaker");
    const detail = "tls-failed: unable to verify the first certificate";
    const breakers = [{ ...breaker, reason: "unavailable" as const, detail }];
    const text = statusText({ ...status, breakers }, beforeProbeMs);
    expect(text).toContain("    tls-failed: It refuses");
    expect(text).toContain("    The cause: unable to verify the first certificate.\n");
    expect(text).not.toContain("It said");
  });

  test("a hold of the delivery comes first", () => {
    const held = { reason: "restored", since: "2026-11-20T12:00:00.000Z" } as const;
    const text = statusText({ ...status, held }, beforeProbeMs);
    expect(text).toMatch(
      /^delivery +held since 2026-11-20T12:00:00Z \(restored\): sineta resume lists .+\nserver +runs\n/,
    );
  });

  test("nothing is `none`, and a server that does not run is told of", () => {
    const stopped = {
      ...status,
      running: false,
      registrations: [],
      messages: { scheduled: 1 },
      queue: { openBatches: 0, retries: 0, waitingSeconds: null },
      breakers: [],
      notAccepting: [],
    };
    expect(statusText(stopped, beforeProbeMs))
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

Push services that accept nothing at the moment:
  none
`);
    const nothing = { ...stopped, messages: {} };
    expect(statusText(nothing, beforeProbeMs)).toMatch(/^server +does not run\n/);
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
        replaces: null,
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
        held: null,
        running: false,
        registrations: [],
        messages: {},
        queue: { openBatches: 0, retries: 0, waitingSeconds: null },
        breakers: [],
        notAccepting: [],
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

  test("needs an operator while delivery is held", async () => {
    const asker = { actor: { kind: "command-line", name: "ana" }, address: null } as const;
    await store.hold.begin({ reason: "asked", sinceMs: 5 }, asker);
    expect(await read()).toMatchObject({
      exit: 1,
      status: { held: { reason: "asked", since: "1970-01-01T00:00:00.005Z" }, healthy: false },
    });
  });

  const fcm = "https://fcm.googleapis.com";

  /** A message to so many at this push origin that was due a while ago, and is planned. */
  async function planned(count: number, pushOrigin = fcm): Promise<void> {
    const bench = await setUp({ open: async () => store, remove: async () => undefined });
    for (let added = 0; added < count; added += 1) {
      await bench.add({
        projectId: project.id,
        vapidKeyId: project.keys.current.id,
        pushOrigin,
      });
    }
    const dueAtMs = Date.now() - 90_000;
    await publish(dueAtMs);
    const due = await store.delivery.nextToPlan(dueAtMs);
    await store.delivery.startSending(due?.id ?? "", dueAtMs);
    const message = await store.delivery.nextToPlan(dueAtMs);
    if (message === null) throw new Error("nothing to plan");
    await store.delivery.planPart(message, { keys: 10, dueAt: () => dueAtMs }, dueAtMs);
  }

  /** They are tried in vain, and are to be tried again. */
  async function tried(ids: readonly number[], why: { reason: string; detail: string }) {
    const again = { kind: "retry", dueAtMs: Date.now() + 60_000, counted: true } as const;
    const walked = ids.map((registrationId) => {
      return { registrationId, generation: 1, ...again, ...why };
    });
    const batch = await mustLease(store, Date.now());
    await writePage(store, batch, { walked }, Date.now());
  }

  test("tells how long the oldest batch has waited", async () => {
    serve();
    await planned(1);
    const { queue } = (await read()).status;
    expect(queue).toMatchObject({ openBatches: 1, retries: 0 });
    expect(queue.waitingSeconds).toBeGreaterThanOrEqual(90);
  });

  test("tells of a push service that accepts nothing, be it of three registrations", async () => {
    serve();
    await planned(3);
    expect((await read()).exit).toBe(0);
    const detail = "getaddrinfo ENOTFOUND fcm.googleapis.com";
    await tried([1, 2, 3], { reason: "name-not-resolved", detail });
    const { exit, status: read1 } = await read();
    expect({ exit, healthy: read1.healthy, held: read1.breakers }).toEqual({
      exit: 1,
      healthy: false,
      held: [],
    });
    expect(read1.notAccepting).toEqual([
      {
        pushService: "fcm",
        pushOrigin: fcm,
        vapidKey: project.keys.current.publicKey,
        registrations: 3,
        reason: "name-not-resolved",
        detail,
        advice: expect.stringContaining("DNS"),
        since: expect.stringMatching(/^2.*Z$/),
      },
    ]);
    // What waits to be tried again waits, too.
    expect(read1.queue.waitingSeconds).toBeGreaterThanOrEqual(90);
    expect((await sineta()).out).toContain(`The cause: ${detail}.\n`);
    // Once it is held back, that is told, and told once.
    await open("unavailable", fcm);
    expect((await read()).status).toMatchObject({ breakers: [{}], notAccepting: [] });
  });

  test.for([
    ["throttled", 0, 1],
    ["sender-closed", 0, 0],
  ] as const)("needs nobody where retries wait for %s", async ([reason, exit, told]) => {
    serve();
    await planned(1);
    await tried([1], { reason, detail: "" });
    const found = await read();
    expect(found.exit).toBe(exit);
    expect(found.status.notAccepting).toHaveLength(told);
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
    expect(out).toContain("since 2026-11-20T12:34:56Z. It is ");
    expect(out).toContain(words);
    expect(out).toContain("It said: what it said.\n");
    const { breakers, healthy } = (await read()).status;
    expect(healthy).toBe(exit === 0);
    expect(breakers).toMatchObject([{ reason, vapidKey: project.keys.current.publicKey }]);
  });

  test("makes nothing where there is nothing", async () => {
    const { status: exit, err } = await sineta("--data", "elsewhere");
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining("no Sineta data") });
  });
});
