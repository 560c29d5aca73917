import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../log.ts";
import { setUp, type ContractBench } from "../store/contract/bench.ts";
import type { Outcome } from "../webpush/outcome.ts";
import type { Message, NewMessage, OutcomeCounts } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import {
  acceptedOutcome,
  fakePush,
  goneOutcome,
  retryOutcome,
  type FakePush,
} from "../test/fake-push.ts";
import { createWork } from "./work.ts";

let folder: string;
let bench: ContractBench;
let push: FakePush;
let nowMs: number;
let logged: string[];
let step: () => Promise<boolean>;
let stopping: AbortController;
/** Called for each pause before something is written again. */
let onPause: (milliseconds: number) => void;
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
  stopping = new AbortController();
  onPause = () => undefined;
  step = startWork();
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

/** What a server does when it starts: it knows nothing but what the database says. */
function startWork({ concurrency = 3, pageSize = 4 } = {}): () => Promise<boolean> {
  const work = createWork({
    store: bench.store.delivery,
    send: push.send,
    concurrency,
    pageSize,
    now: () => nowMs,
    random: () => 0,
    pause: async (milliseconds) => onPause(milliseconds),
    log: createLog("info", { write: (text) => logged.push(text) }),
  });
  return () => work(stopping.signal);
}

/** Nothing can be written to a message until it is freed: as on a full disk, SQLite ends the transaction by itself. */
function fillDisk(): { free: () => void } {
  const other = new DatabaseSync(join(folder, "test.db"));
  const full = "begin select raise(rollback, 'database or disk is full'); end";
  other.exec(`create trigger full before update on messages ${full}`);
  return {
    free: () => {
      other.exec("drop trigger full");
      other.close();
    },
  };
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

/** Ids of the messages in the order in which they were sent, each turn once. */
const turns = () =>
  push.sent
    .map(({ messageId }) => messageId)
    .filter((id, index, all) => index === 0 || all[index - 1] !== id);

const unanswered = (reason: "connect-timed-out" | "sender-closed"): Outcome => ({
  kind: "retry",
  reason,
  notBefore: null,
  detail: "",
});

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

  test("messages take turns of a page, the earliest first", async () => {
    await register(6);
    const second = await publish({ scheduledAtMs: 900 });
    const first = await publish({ scheduledAtMs: 800 });
    await workUntilIdle();
    expect(turns()).toEqual([first, second, first, second]);
  });

  test("a new message is next, whatever long walks and due retries there are", async () => {
    await register(12);
    const walked = await publish({ scheduledAtMs: 700 });
    push.answer = () => retryOutcome();
    const retried = await publish({
      scheduledAtMs: 800,
      ttlSeconds: 3_600,
      target: { kind: "token", token: tokens[0] ?? "" },
    });
    for (let index = 0; index < 4; index += 1) await step();
    expect(turns()).toEqual([walked, retried]);
    nowMs += 10_000;
    const added = await publish({ scheduledAtMs: 900 });
    await step();
    await step();
    expect(turns()).toEqual([walked, retried, added]);
    for (let index = 0; index < 3; index += 1) await step();
    expect(turns()).toEqual([walked, retried, added, walked, retried, added]);
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

  test("an outage of a day does not lose a message that is worth sending for longer", async () => {
    await register(1);
    push.answer = () => unanswered("connect-timed-out");
    const id = await publish({ ttlSeconds: 28 * 86_400 });
    const outageEndsMs = nowMs + 86_400_000;
    for (; nowMs < outageEndsMs; nowMs += 60_000) await workUntilIdle();
    expect(await find(id)).toMatchObject({ state: "sending", counts: counts({ retry: 1 }) });
    // Every quarter of an hour, once the pauses have grown to that.
    expect(push.sent.length).toBeGreaterThan(90);
    expect(push.sent.length).toBeLessThan(110);
    push.answer = () => acceptedOutcome;
    nowMs += 900_000;
    await workUntilIdle();
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 1 }) });
  });

  test("what never left the house does not make the pauses longer", async () => {
    await register(1);
    push.answer = () => unanswered("sender-closed");
    await publish({ ttlSeconds: 3_600 });
    for (let round = 1; round <= 12; round += 1) {
      await workUntilIdle();
      expect(push.sent).toHaveLength(round);
      nowMs += 2_000;
    }
  });

  test("a push service that is silent in the walk is not tried with the retries of that turn", async () => {
    await register(24);
    step = startWork({ concurrency: 1, pageSize: 12 });
    push.answer = () => unanswered("connect-timed-out");
    const id = await publish({ ttlSeconds: 3_600 });
    await step();
    await step();
    expect(push.sent).toHaveLength(10);
    nowMs += 3_000;
    await step();
    expect(push.sent).toHaveLength(20);
    expect(await find(id)).toMatchObject({ cursor: 24, counts: counts({ retry: 24 }) });
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

  test("what came of a page is written again until it is, and not sent again", async () => {
    await register(3);
    const id = await publish();
    await step();
    const disk = fillDisk();
    const pauses: number[] = [];
    onPause = (milliseconds) => {
      if (pauses.push(milliseconds) === 10) disk.free();
    };
    await workUntilIdle();
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(logged.filter((line) => line.includes("disk is full"))).toHaveLength(10);
    expect(sentTo()).toEqual([1, 2, 3]);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 3 }) });
  });

  test("nor are retries whose outcome cannot be written", async () => {
    await register(2);
    push.answer = () => retryOutcome();
    const id = await publish();
    await workUntilIdle();
    nowMs += 5_000;
    push.answer = (registrationId) => (registrationId === 1 ? acceptedOutcome : goneOutcome);
    const disk = fillDisk();
    let pauses = 0;
    onPause = () => {
      pauses += 1;
      if (pauses === 3) disk.free();
    };
    await workUntilIdle();
    expect(pauses).toBe(3);
    expect(sentTo()).toEqual([1, 1, 2, 2]);
    expect(await find(id)).toMatchObject({
      state: "done",
      counts: counts({ accepted: 1, gone: 1 }),
    });
  });

  test("a stop ends that, and then it is done again from the last checkpoint on", async () => {
    await register(10);
    const id = await publish();
    await step();
    await step();
    const disk = fillDisk();
    onPause = () => {
      if (stopping.signal.aborted) throw new Error("it pauses after the stop");
      stopping.abort();
    };
    await expect(step()).rejects.toThrow("disk is full");
    disk.free();
    await bench.reopen();
    stopping = new AbortController();
    step = startWork();
    await workUntilIdle();
    expect(sentTo()).toEqual([1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10]);
    expect(await find(id)).toMatchObject({ state: "done", counts: counts({ accepted: 10 }) });
  });
});
