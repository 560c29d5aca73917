import { afterEach, describe, expect, test, vi } from "vitest";
import { limits } from "@sineta/protocol";
import { messagesBench, requestWith, type MessagesBench } from "./testing/messages-bench.ts";

let bench: MessagesBench;
afterEach(() => bench.close());

const fcm = "https://fcm.googleapis.com";
const mozilla = "https://updates.push.services.mozilla.com";
const apple = "https://web.push.apple.com";
const windows = "https://wns2-par02p.notify.windows.com";

const add = (pushOrigin: string, over: { vapidKeyId?: number } = {}) =>
  bench.data.add({ pushOrigin, ...over });
async function counted(over?: Parameters<MessagesBench["dryRun"]>[0]) {
  const result = await bench.dryRun(over);
  if (result.kind === "refused") throw new Error(JSON.stringify(result));
  return result.dryRun;
}
/** A notification whose largest push has so many bytes. */
async function ofBytes(bytes: number) {
  const { plaintextBytes } = await counted({ notification: { title: "Olá", body: "" } });
  const rest = bytes - plaintextBytes;
  const link = `/${"y".repeat(Math.max(0, rest - 2_000))}`;
  const { plaintextBytes: linked } = await counted({
    notification: { title: "Olá", body: "", link },
  });
  return { title: "Olá", body: "x".repeat(bytes - linked), link };
}

describe("counts the audience", () => {
  test("by push service, those with most browsers first, and writes nothing", async () => {
    bench = await messagesBench();
    for (const origin of [apple, windows, fcm, mozilla, "https://jmt17.google.com", fcm]) {
      await add(origin);
    }
    expect(await counted()).toEqual({
      plaintextBytes: expect.any(Number),
      registrations: 6,
      byPushService: [
        { pushService: "fcm", registrations: 3, refused: [], waiting: [], warnings: [] },
        { pushService: "mozilla", registrations: 1, refused: [], waiting: [], warnings: [] },
        { pushService: "apple", registrations: 1, refused: [], waiting: [], warnings: [] },
        { pushService: "windows", registrations: 1, refused: [], waiting: [], warnings: [] },
      ],
    });
    expect(await bench.data.store.messages.list(bench.data.projectId, 10)).toEqual([]);
  });

  test("without looking at any registration, where all are meant", async () => {
    bench = await messagesBench();
    await add(fcm);
    const countAudience = vi.spyOn(bench.data.store.registrations, "countAudience");
    expect(await counted()).toMatchObject({ registrations: 1 });
    expect(countAudience).not.toHaveBeenCalled();
  });

  test("until nobody waits for it any more", async () => {
    bench = await messagesBench();
    await bench.data.store.topics.add(bench.project.id, { name: "bread", policy: "open" }, 1);
    const { registrations } = bench.data.store;
    const gone = new AbortController();
    const countAudience = vi.spyOn(registrations, "countAudience").mockImplementation(async () => {
      gone.abort();
      return { groups: [], next: 1 };
    });
    const target = { kind: "topic", topic: "bread" } as const;
    await bench.messages.dryRun(bench.project, requestWith({ target }), gone.signal);
    expect(countAudience).toHaveBeenCalledOnce();
  });

  test("and nobody else: who has left, and who is not meant", async () => {
    bench = await messagesBench();
    const [here, left] = [await add(fcm), await add(fcm)];
    const registration = await bench.data.store.registrations.find(bench.project.id, left);
    await bench.data.store.registrations.leave(registration?.id ?? 0, 2);
    const topic = { name: "bread", policy: "open" } as const;
    await bench.data.store.topics.add(bench.project.id, topic, 1);
    expect(await counted()).toMatchObject({ registrations: 1 });
    expect(await counted({ target: { kind: "topic", topic: "bread" } })).toEqual({
      plaintextBytes: expect.any(Number),
      registrations: 0,
      byPushService: [],
    });
    const tokens = [here, left];
    expect(await counted({ target: { kind: "tokens", tokens } })).toMatchObject({
      registrations: 1,
      unknown: { count: 1, tokens: [left] },
    });
  });

  test("part by part, with a turn for everybody else in between", async () => {
    bench = await messagesBench();
    const { registrations } = bench.data.store;
    const walked: number[] = [];
    const parts = [7, 8, null];
    let turns = 0;
    registrations.countAudience = async (_projectId, _target, afterId, keys) => {
      walked.push(afterId);
      expect(keys).toBe(2_000);
      const groups = [{ pushOrigin: fcm, vapidKeyId: bench.data.vapidKeyId, count: 2 }];
      setImmediate(() => (turns += 1));
      return { groups, next: parts[walked.length - 1] ?? null };
    };
    const target = { kind: "user", userId: "baker" } as const;
    expect(await counted({ target })).toMatchObject({ registrations: 6 });
    expect(walked).toEqual([0, 7, 8]);
    expect(turns).toBe(2);
  });
});

describe("tells what would not be sent", () => {
  test("because the host is not allowed any more", async () => {
    bench = await messagesBench({
      endpointPolicy: { hosts: [{ host: "push.example", port: 8443 }], routes: [] },
    });
    await add("https://push.example:8443");
    await add("https://push.example");
    await add("https://gone.example");
    await add("https://gone.example");
    const [other, ...more] = (await counted()).byPushService;
    expect(more).toEqual([]);
    expect(other).toMatchObject({ pushService: "other", registrations: 4, warnings: [] });
    expect(new Set(other?.refused)).toEqual(
      new Set([
        {
          reason: "endpoint-not-allowed",
          detail: "https://push.example is no push service that is allowed (wrong-port)",
          registrations: 1,
        },
        {
          reason: "endpoint-not-allowed",
          detail: "https://gone.example is no push service that is allowed (unknown-host)",
          registrations: 2,
        },
      ]),
    );
  });

  test("because the project does not have the key", async () => {
    bench = await messagesBench();
    const { store } = bench.data;
    const other = await store.projects.ensure("other", 1);
    const key = { publicKey: "key-2", sealedPrivateKey: Buffer.from("sealed") };
    await store.projects.addFirstVapidKey(other.id, key, 1);
    const vapidKeyId = (await store.projects.vapidKeys(other.id))[0]?.id ?? 0;
    await add(fcm);
    await add(fcm, { vapidKeyId });
    expect((await counted()).byPushService).toMatchObject([
      { registrations: 2, refused: [{ reason: "vapid-key-unknown", registrations: 1 }] },
    ]);
  });

  test("apart from what would wait while its destination is held back, and no other one", async () => {
    bench = await messagesBench();
    const hold = (pushOrigin: string, detail: string) =>
      bench.data.store.breakers.open({
        pushOrigin,
        vapidKeyId: bench.data.vapidKeyId,
        reason: "throttled",
        detail,
        openedAtMs: 1,
        probeAtMs: 2,
      });
    const nightly = "https://jmt17.google.com";
    for (const origin of [fcm, fcm, nightly, mozilla]) await add(origin);
    const waiting = async () => {
      const services = (await counted()).byPushService;
      expect(services.flatMap(({ refused }) => refused)).toEqual([]);
      return services.map((each) => each.waiting);
    };
    await hold(fcm, "slow down");
    expect(await waiting()).toEqual([
      [{ reason: "throttled", detail: "slow down", registrations: 2 }],
      [],
    ]);
    await hold(nightly, "slow down");
    expect(await waiting()).toEqual([
      [{ reason: "throttled", detail: "slow down", registrations: 3 }],
      [],
    ]);
  });

  test("with the reasons of a publication, and nothing else is looked at", async () => {
    bench = await messagesBench();
    expect(await bench.dryRun({ target: { kind: "topic", topic: "none" } })).toMatchObject({
      kind: "refused",
      code: "topic-unknown",
    });
    expect(await bench.dryRun({ notification: await ofBytes(3_994) })).toMatchObject({
      code: "notification-too-large",
    });
  });
});

describe("warns", () => {
  test("of Firefox for Android, once the sealed body is beyond 3,070 bytes", async () => {
    bench = await messagesBench();
    for (const origin of [fcm, mozilla]) await add(origin);
    const warnings = async (bytes: number) => {
      const dryRun = await counted({ notification: await ofBytes(bytes) });
      expect(dryRun.plaintextBytes).toBe(bytes);
      return dryRun.byPushService.map(({ pushService, warnings: words }) => [pushService, words]);
    };
    expect(await warnings(3_070 - 103)).toEqual([
      ["fcm", []],
      ["mozilla", []],
    ]);
    expect(await warnings(3_070 - 103 + 1)).toEqual([
      ["fcm", []],
      ["mozilla", [expect.stringMatching(/^Firefox for Android .* 3071 bytes/)]],
    ]);
    expect(await warnings(limits.plaintextBytes)).toMatchObject([
      ["fcm", []],
      ["mozilla", [expect.stringContaining("4096 bytes")]],
    ]);
  });

  test.for<[subject: string, warns: boolean]>([
    ["mailto:sineta@example.com", false],
    ["https://example.com", false],
    ["mailto:root@localhost", true],
    ["https://localhost:8080", true],
    ["sineta", true],
  ])("of Apple, which refuses some VAPID subjects: %s, %j", async ([vapidSubject, warns]) => {
    bench = await messagesBench({ vapidSubject });
    for (const origin of [fcm, apple]) await add(origin);
    const [ofFcm, ofApple] = (await counted()).byPushService.map(({ warnings }) => warnings);
    expect(ofFcm).toEqual([]);
    expect(ofApple?.map((words) => words.slice(0, words.indexOf(" as ")))).toEqual(
      warns ? [`Apple refuses "${vapidSubject}"`] : [],
    );
  });

  test("of nothing where TTL 0 meets Windows: the quirk is seen to", async () => {
    bench = await messagesBench();
    await add(windows);
    expect((await counted({ ttlSeconds: 0 })).byPushService).toMatchObject([{ warnings: [] }]);
  });
});
