import { rmSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../log.ts";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import type { Message, NewMessage, OutcomeCounts } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import {
  acceptedOutcome,
  fakePush,
  goneOutcome,
  retryOutcome,
  type FakePush,
} from "../test/fake-push.ts";
import { workOnce } from "./work.ts";

let folder: string;
let bench: ContractBench;
let push: FakePush;
let nowMs: number;
let logged: string[];
const tokens: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sineta-work-"));
  bench = await setUp({
    open: () => openSqliteStore(join(folder, "test.db"), 0),
    remove: async () => undefined,
  });
  push = fakePush();
  nowMs = 1_000;
  logged = [];
  tokens.length = 0;
});
afterEach(async () => {
  await bench.store.close();
  rmSync(folder, { recursive: true });
});

async function register(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) tokens.push(await bench.add());
}

async function publish(over: Partial<NewMessage> = {}): Promise<string> {
  const message = bench.message(over);
  await bench.store.messages.publish(message, nowMs);
  return message.id;
}

function step(): Promise<boolean> {
  return workOnce({
    store: bench.store.delivery,
    send: push.send,
    concurrency: 3,
    pageSize: 4,
    now: () => nowMs,
    random: () => 0,
    log: createLog("info", { write: (text) => logged.push(text) }),
  });
}

async function workUntilIdle(): Promise<void> {
  while (await step());
}

async function find(id: string): Promise<Message> {
  const message = await bench.store.messages.find(bench.projectId, id);
  if (message === null) throw new Error("the message is not there");
  return message;
}

const counts = (over: Partial<OutcomeCounts>): OutcomeCounts => ({
  accepted: 0,
  gone: 0,
  retry: 0,
  rejected: 0,
  failed: 0,
  ...over,
});

const sentTo = () =>
  push.sent.map(({ registrationId }) => registrationId).toSorted((a, b) => a - b);

describe("delivery", () => {
  test("reaches everyone once, in pages, a few at a time", async () => {
    await register(10);
    const id = await publish();
    await workUntilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(push.mostInFlight()).toBe(3);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 10 }) });
    expect(await step()).toBe(false);
  });

  test("a page that is exactly full is not the end, nor is nobody an endless walk", async () => {
    await register(8);
    const id = await publish();
    await workUntilIdle();
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 8 }) });
    const nobody = await publish({ target: { kind: "token", token: "none" } });
    await workUntilIdle();
    expect(await find(nobody)).toMatchObject({ state: "done", counts: counts({}) });
  });

  test("one token is one recipient", async () => {
    await register(3);
    await publish({ target: { kind: "token", token: tokens[1] ?? "" } });
    await workUntilIdle();
    expect(sentTo()).toEqual([2]);
  });

  test("messages go out one after the other, the earliest first", async () => {
    await register(6);
    const second = await publish({ scheduledAtMs: 900 });
    const first = await publish({ scheduledAtMs: 800 });
    await workUntilIdle();
    expect(push.sent.map(({ messageId }) => messageId)).toEqual([
      ...Array.from({ length: 6 }, () => first),
      ...Array.from({ length: 6 }, () => second),
    ]);
  });

  test("whoever registers after the start is not in the audience", async () => {
    await register(2);
    await publish();
    await step();
    await register(1);
    await workUntilIdle();
    expect(sentTo()).toEqual([1, 2]);
  });

  test("each outcome is counted as what it is, and only gone ends a registration", async () => {
    await register(5);
    push.answer = (registrationId) => {
      switch (registrationId) {
        case 1:
          return goneOutcome;
        case 2:
          return { kind: "rejected", reason: "vapid-refused", status: 403, detail: "bad key" };
        case 3:
          return { kind: "failed", reason: "keys-unusable", detail: "" };
        case 4:
          return retryOutcome();
        default:
          return acceptedOutcome;
      }
    };
    const id = await publish();
    await workUntilIdle();
    expect(await find(id)).toMatchObject({
      state: "sending",
      counts: { accepted: 1, gone: 1, retry: 1, rejected: 1, failed: 1 },
    });
    expect(await bench.store.registrations.countLive(bench.projectId)).toBe(4);
    const line = logged.find((text) => text.includes("vapid-refused")) ?? "null";
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      messageId: id,
      reason: "vapid-refused",
      detail: "bad key",
      registrations: 1,
    });
  });

  test("what is to be retried is retried at its time, until it is accepted", async () => {
    await register(2);
    push.answer = () => retryOutcome(30_000);
    const id = await publish();
    await workUntilIdle();
    push.answer = (registrationId) => (registrationId === 1 ? acceptedOutcome : retryOutcome());
    nowMs = 29_999;
    expect(await step()).toBe(false);
    nowMs = 30_000;
    await workUntilIdle();
    expect(await find(id)).toMatchObject({ counts: counts({ accepted: 1, retry: 1 }) });
    push.answer = () => acceptedOutcome;
    // The second attempt is followed by four seconds.
    nowMs = 34_000;
    await workUntilIdle();
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 2 }) });
    expect(push.sent).toHaveLength(5);
  });

  test("after eight attempts it has failed", async () => {
    await register(1);
    push.answer = () => retryOutcome();
    const id = await publish({ ttlSeconds: 1_000_000 });
    for (let round = 0; round < 20; round += 1) {
      await workUntilIdle();
      nowMs += 3_600_000;
    }
    expect(push.sent).toHaveLength(8);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ failed: 1 }) });
    expect(await bench.store.registrations.countLive(bench.projectId)).toBe(1);
  });

  test("after its TTL a message is not sent any more", async () => {
    await register(1);
    const missed = await publish({ ttlSeconds: 60 });
    nowMs += 60_000;
    await workUntilIdle();
    expect(push.sent).toEqual([]);
    expect(await find(missed)).toMatchObject({ state: "done", counts: counts({}) });

    push.answer = () => retryOutcome();
    const tried = await publish({ ttlSeconds: 60, scheduledAtMs: nowMs });
    await workUntilIdle();
    nowMs += 60_000;
    await workUntilIdle();
    expect(push.sent).toHaveLength(1);
    expect(await find(tried)).toMatchObject({ state: "done", counts: counts({ failed: 1 }) });
  });

  test("who left while a retry waited is not sent to", async () => {
    await register(1);
    push.answer = () => retryOutcome();
    const id = await publish();
    await workUntilIdle();
    await bench.store.registrations.leave(1, nowMs);
    nowMs += 10_000;
    await workUntilIdle();
    expect(push.sent).toHaveLength(1);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ failed: 1 }) });
  });

  test("a browser that subscribed anew while it was sent to gets the message there", async () => {
    await register(1);
    push.answer = async () => {
      push.answer = () => acceptedOutcome;
      const renew = () => ({ kind: "renew", id: 1 }) as const;
      await bench.store.registrations.register(bench.candidate(), renew, nowMs);
      return goneOutcome;
    };
    const id = await publish();
    await workUntilIdle();
    expect(push.sent.map(({ generation }) => generation)).toEqual([1, 2]);
    expect(new Set(push.sent.map(({ endpoint }) => endpoint)).size).toBe(2);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 1 }) });
    expect(await bench.store.registrations.countLive(bench.projectId)).toBe(1);
  });

  test("what was not written down is done again from the last checkpoint on", async () => {
    await register(10);
    const id = await publish();
    await step();
    await step();
    bench.store.delivery.checkpoint = () => Promise.reject(new Error("the disk is full"));
    await expect(step()).rejects.toThrow("the disk is full");
    await bench.reopen();
    await workUntilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10]);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 10 }) });
  });
});
