import { beforeEach, describe, expect, test } from "vitest";
import type { AttentionItem } from "@sineta/protocol";
import type { UnknownKey } from "../registrations/unknown-keys.ts";
import type { Breaker, DeliveryHold, NotAccepting } from "../store/port.ts";
import { createAttention, type AttentionParts } from "./attention.ts";

const dayMs = 86_400_000;
const fcm = { pushOrigin: "https://fcm.googleapis.com", vapidKeyId: 3 };

let state: {
  breakers: Breaker[];
  notAccepting: NotAccepting[];
  retries: number;
  usage: { liveRegistrations: number; messagesWithinHour: number };
  oldestEndedMs: number | null;
  hold: DeliveryHold | null;
  unknownKeys: UnknownKey[];
  free: number;
  nowMs: number;
  reads: number;
};
let parts: AttentionParts;
beforeEach(() => {
  state = {
    breakers: [],
    notAccepting: [],
    retries: 0,
    usage: { liveRegistrations: 0, messagesWithinHour: 0 },
    oldestEndedMs: null,
    hold: null,
    unknownKeys: [],
    free: 1_000,
    nowMs: 100 * dayMs,
    reads: 0,
  };
  parts = {
    store: {
      breakers: { list: async () => state.breakers },
      delivery: {
        notAccepting: async () => state.notAccepting,
        queue: async () => ({ openBatches: 1, retries: state.retries, oldestDueMs: null }),
        waitingAt: async () => 7,
      },
      projects: {
        vapidKeys: async () => [
          { id: 3, publicKey: "key", sealedPrivateKey: Buffer.from("x"), createdAtMs: 1 },
        ],
        settings: async () => ({
          displayName: "default",
          receipts: true,
          origins: [],
          registrationsQuota: 100,
          messagesPerHourQuota: 10,
        }),
        usage: async () => state.usage,
      },
      hold: { find: async () => state.hold },
      retention: {
        oldestEnded: async (beforeMs) => {
          state.reads += 1;
          const { oldestEndedMs } = state;
          return oldestEndedMs !== null && oldestEndedMs < beforeMs ? oldestEndedMs : null;
        },
      },
    },
    unknownKeys: { list: (projectId) => (projectId === 1 ? state.unknownKeys : []) },
    freeBytes: async () => state.free,
    lowBytes: 1_000,
    keepEndedDays: 30,
    now: () => state.nowMs,
  };
});

const items = async (): Promise<AttentionItem[]> => (await createAttention(parts)(1)).items;

function breaker(over: Partial<Breaker>): Breaker {
  return {
    ...fcm,
    reason: "unavailable",
    detail: "connect-failed",
    openedAtMs: 1_000,
    probeAtMs: 2_000,
    probes: 1,
    ...over,
  };
}

describe("attention", () => {
  test("is needed by nothing where all is well", async () => {
    expect(await items()).toEqual([]);
  });

  test("a refused key comes before a push service that does not answer; another project's is not told", async () => {
    state.breakers = [
      breaker({}),
      breaker({ pushOrigin: "https://web.push.apple.com", reason: "vapid-refused" }),
      breaker({ vapidKeyId: 4 }),
    ];
    expect(await items()).toEqual([
      {
        code: "key-refused",
        pushService: "apple",
        pushOrigin: "https://web.push.apple.com",
        reason: "vapid-refused",
        since: "1970-01-01T00:00:01.000Z",
        nextProbeAt: "1970-01-01T00:00:02.000Z",
        waiting: 7,
      },
      expect.objectContaining({ code: "breaker-open", pushService: "fcm", reason: "unavailable" }),
    ]);
  });

  test("who accepts nothing is told, unless it is held back or nothing was sent there", async () => {
    const said = { reason: "service-unavailable", detail: "503", registrations: 5, sinceMs: 1_000 };
    state.retries = 5;
    state.notAccepting = [
      { ...fcm, ...said },
      { ...fcm, ...said, reason: "sender-closed" },
      { ...fcm, ...said, vapidKeyId: 4 },
    ];
    expect(await items()).toEqual([
      {
        code: "nothing-accepted",
        pushService: "fcm",
        pushOrigin: fcm.pushOrigin,
        reason: "service-unavailable",
        since: "1970-01-01T00:00:01.000Z",
        waiting: 5,
      },
    ]);
    state.breakers = [breaker({})];
    expect((await items()).map(({ code }) => code)).toEqual(["breaker-open"]);
  });

  test("of one push service's hosts, which anybody can make up, at most five are told, the largest", async () => {
    const host = (index: number) => `https://made-up-${index}.notify.windows.com`;
    const said = { reason: "name-not-resolved", detail: "", sinceMs: 1_000, vapidKeyId: 3 };
    state.retries = 1;
    state.notAccepting = Array.from({ length: 3_000 }, (_, index) => ({
      ...said,
      pushOrigin: host(index),
      registrations: index,
    }));
    state.notAccepting.push({ ...said, pushOrigin: fcm.pushOrigin, registrations: 1 });
    state.breakers = [
      // 7 wait at each.
      breaker({ pushOrigin: "https://wns2-par02p.notify.windows.com" }),
      breaker({ pushOrigin: "https://wns2-bl2p.notify.windows.com", reason: "vapid-refused" }),
    ];
    const told = (await items()).map((item) => [item.code, "waiting" in item && item.waiting]);
    expect(told).toEqual([
      ["key-refused", 7],
      ["nothing-accepted", 2_999],
      ["nothing-accepted", 2_998],
      ["nothing-accepted", 2_997],
      ["nothing-accepted", 2_996],
      ["nothing-accepted", 2_995],
      ["nothing-accepted", 1],
    ]);
    state.nowMs += 5_000;
    state.notAccepting = state.notAccepting.filter(({ registrations }) => registrations < 10);
    expect((await items()).map(({ code }) => code)).toEqual([
      "key-refused",
      "breaker-open",
      ...Array.from({ length: 5 }, () => "nothing-accepted"),
    ]);
  });

  test("each origin with an unknown VAPID key, of the project alone", async () => {
    const page = {
      origin: "https://loja.example",
      keyStart: "BAAAAAAAAAAA",
      vapidKey: "B",
      refused: 2,
    };
    state.unknownKeys = [{ ...page, firstMs: 1_000, lastMs: 2_000 }];
    expect((await createAttention(parts)(2)).items).toEqual([]);
    expect(await items()).toEqual([
      {
        code: "vapid-key-unknown",
        ...page,
        since: "1970-01-01T00:00:01.000Z",
        last: "1970-01-01T00:00:02.000Z",
      },
    ]);
  });

  test("a delivery that is held comes first", async () => {
    state.free = 999;
    state.hold = { reason: "cloned", sinceMs: 5 };
    const [first, ...others] = await items();
    const since = "1970-01-01T00:00:00.005Z";
    expect(first).toEqual({ code: "delivery-held", reason: "cloned", since });
    expect(others).toMatchObject([{ code: "disk-low" }]);
  });

  test("a disk with less free space than is wanted", async () => {
    state.free = 999;
    expect(await items()).toEqual([{ code: "disk-low", freeBytes: 999, thresholdBytes: 1_000 }]);
  });

  test("quotas of which nine tenths are used", async () => {
    state.usage = { liveRegistrations: 89, messagesWithinHour: 8 };
    expect(await items()).toEqual([]);
    state.usage = { liveRegistrations: 90, messagesWithinHour: 10 };
    expect(await items()).toEqual([
      { code: "registrations-quota", used: 90, quota: 100 },
      { code: "messages-quota", used: 10, quota: 10 },
    ]);
  });

  test("what should have been removed two days ago", async () => {
    state.oldestEndedMs = 68 * dayMs;
    expect(await items()).toEqual([]);
    state.oldestEndedMs = 68 * dayMs - 1;
    expect(await items()).toMatchObject([{ code: "retention-late", keepDays: 30 }]);
  });

  test("whoever asks again at once hears the same; what failed is read anew", async () => {
    const read = createAttention(parts);
    await read(1);
    await read(1);
    expect(state.reads).toBe(1);
    await read(2);
    expect(state.reads).toBe(2);
    state.nowMs += 5_000;
    await read(1);
    expect(state.reads).toBe(3);
    const { freeBytes } = parts;
    state.nowMs += 5_000;
    parts.freeBytes = () => Promise.reject(new Error("no disk"));
    await expect(read(1)).rejects.toThrow("no disk");
    parts.freeBytes = freeBytes;
    expect(await read(1)).toEqual({ items: [] });
  });
});
