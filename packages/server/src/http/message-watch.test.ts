import { randomUUIDv7 } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { messageProgressSchema, type MessageProgress, type MessageTarget } from "@sineta/protocol";
import { testAsker, appBench, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";
import {
  lookEveryMs,
  mostReaders,
  mostReadersOfCaller,
  type Feed,
  type StatusText,
} from "./message-watch.ts";

let bench: AppBench;
let id: string;
beforeEach(async () => {
  bench = await appBench();
  id = await publish();
});
afterEach(() => bench.close());

async function publish(target: MessageTarget = { kind: "all" }): Promise<string> {
  const request = { target, notification: { title: "Olá" } };
  const result = await bench.messages.publish(bench.project, request, testAsker);
  if (result.kind === "refused") throw new Error(result.code);
  return result.published.id;
}

/** By a caller who reads nothing else, unless one is given. */
async function open(message = id, caller: string = randomUUIDv7()): Promise<Feed> {
  const feed = await bench.watch.open(bench.project, message, caller);
  if (typeof feed === "string") throw new Error(feed);
  return feed;
}

const statusOf = (given: StatusText | null): MessageProgress =>
  messageProgressSchema.parse(JSON.parse(given?.text ?? "null"));

const start = (message = id) => bench.store.delivery.startSending(message, 1_000);
const cancel = (message = id) => bench.store.messages.cancel(bench.project.id, message, 2_000);
const look = () => bench.pauses.end(lookEveryMs);

async function openBreaker(): Promise<void> {
  await bench.store.breakers.open({
    pushOrigin: "https://fcm.googleapis.com",
    vapidKeyId: bench.project.keys.current.id,
    reason: "throttled",
    detail: "",
    openedAtMs: 1_000,
    probeAtMs: 2_000,
  });
}

test("a reader gets the count of tokens, and not the tokens each time", async () => {
  const token = await tokenOf(await bench.post(testBrowser()));
  const feed = await open(await publish({ kind: "tokens", tokens: [token] }));
  const given = await feed.next();
  expect(statusOf(given).target).toEqual({ kind: "tokens", count: 1 });
  expect(given?.text).not.toContain(token);
  feed.close();
});

describe("a reader", () => {
  test("gets the status as it is, then whenever it has changed, until the end", async () => {
    const feed = await open();
    const first = await feed.next();
    expect(statusOf(first)).toEqual(await bench.messages.status(bench.project, id));
    expect(first?.ended).toBe(false);

    const second = feed.next();
    await start();
    await look();
    expect(statusOf(await second).state).toBe("sending");

    const third = feed.next();
    await cancel();
    await look();
    const last = await third;
    expect({ state: statusOf(last).state, ended: last?.ended }).toEqual({
      state: "cancelled",
      ended: true,
    });
    expect(await feed.next()).toBeNull();
    feed.close();
    expect(bench.watch.count()).toBe(0);
  });

  test("of a message that has ended gets its status, and no more", async () => {
    await cancel();
    const feed = await open();
    expect(statusOf(await feed.next()).state).toBe("cancelled");
    expect(await feed.next()).toBeNull();
    feed.close();
    expect(bench.pauses.count(lookEveryMs)).toBe(0);
  });

  test("hears of receipts", async () => {
    const token = await tokenOf(await bench.post(testBrowser()));
    const feed = await open();
    await feed.next();
    const next = feed.next();
    const receipt = { projectId: bench.project.id, messageId: id, token, action: null };
    await bench.store.receipts.add({ ...receipt, event: "displayed" }, 1_000);
    await look();
    expect(statusOf(await next).receipts.displayed).toBe(1);
    feed.close();
  });

  test("that reads slowly gets the newest", async () => {
    const [slow, quick] = [await open(), await open()];
    await slow.next();
    await quick.next();
    const started = quick.next();
    await start();
    await look();
    await started;
    const cancelled = quick.next();
    await cancel();
    await look();
    await cancelled;
    expect(statusOf(await slow.next()).state).toBe("cancelled");
    expect(await slow.next()).toBeNull();
  });

  test("of another project learns nothing, also while its own project reads", async () => {
    const feed = await open();
    const second = { ...bench.project, id: bench.project.id + 1 };
    expect(await bench.watch.open(second, id, "baker")).toBe("unknown");
    expect(await bench.watch.open(bench.project, randomUUIDv7(), "baker")).toBe("unknown");
    expect(bench.watch.count()).toBe(1);
    feed.close();
  });
});

describe("looking", () => {
  test("is done once for all readers of a message", async () => {
    const find = vi.spyOn(bench.store.messages, "find");
    const status = vi.spyOn(bench.messages, "status");
    const feeds = [await open(), await open(), await open()];
    for (const feed of feeds) expect(statusOf(await feed.next()).id).toBe(id);
    expect(bench.pauses.count(lookEveryMs)).toBe(1);
    const next = feeds.map((feed) => feed.next());
    await start();
    // Of the status itself, which reads the message too.
    const before = { find: find.mock.calls.length, status: status.mock.calls.length };
    await look();
    for (const one of next) expect(statusOf(await one).state).toBe("sending");
    expect(find.mock.calls.length - before.find).toBe(2);
    expect(status.mock.calls.length - before.status).toBe(1);
  });

  test("reads no more than the message's row while nothing changes", async () => {
    const status = vi.spyOn(bench.messages, "status");
    const feed = await open();
    await feed.next();
    const next = feed.next();
    await look();
    await look();
    await look();
    await bench.pauses.begun(lookEveryMs);
    expect(status).toHaveBeenCalledTimes(1);
    await start();
    await look();
    expect(statusOf(await next).state).toBe("sending");
    expect(status).toHaveBeenCalledTimes(2);
  });

  test("tells nobody of what changes elsewhere", async () => {
    const status = vi.spyOn(bench.messages, "status");
    const feed = await open();
    await feed.next();
    const next = feed.next();
    await openBreaker();
    await look();
    await bench.pauses.begun(lookEveryMs);
    await start();
    await look();
    // The breaker holds nothing of this message.
    expect(statusOf(await next).state).toBe("sending");
    expect(status).toHaveBeenCalledTimes(3);
  });

  test("ends with the last reader, and begins anew with the next", async () => {
    const [one, two] = [await open(), await open()];
    await one.next();
    one.close();
    one.close();
    expect(bench.pauses.count(lookEveryMs)).toBe(1);
    two.close();
    expect(bench.pauses.count(lookEveryMs)).toBe(0);
    const three = await open();
    expect(statusOf(await three.next()).state).toBe("sending");
    await bench.pauses.end(lookEveryMs);
  });

  test("that fails ends the readers, and says why to the operator", async () => {
    const feeds = [await open(), await open()];
    for (const feed of feeds) await feed.next();
    const next = feeds.map((feed) => feed.next());
    vi.spyOn(bench.store.messages, "find").mockRejectedValueOnce(new Error("disk on fire"));
    await look();
    expect(await Promise.all(next)).toEqual([null, null]);
    expect(bench.logged.filter((line) => line.includes("disk on fire"))).toHaveLength(1);
  });

  test("that fails at once is told to who asks", async () => {
    vi.spyOn(bench.store.messages, "find").mockRejectedValueOnce(new Error("disk on fire"));
    await expect(bench.watch.open(bench.project, id, "baker")).rejects.toThrow("disk on fire");
    expect(bench.watch.count()).toBe(0);
    expect(statusOf(await (await open()).next()).state).toBe("sending");
  });
});

describe("readers", () => {
  test("are a hundred at most", async () => {
    const feeds = [];
    for (let index = 0; index < mostReaders; index += 1) feeds.push(await open());
    expect(await bench.watch.open(bench.project, id, "baker")).toBe("exhausted");
    expect(bench.watch.count()).toBe(100);
    feeds[7]?.close();
    feeds[7]?.close();
    expect(bench.watch.count()).toBe(99);
    expect(statusOf(await (await open()).next()).id).toBe(id);
    expect(await bench.watch.open(bench.project, id, "baker")).toBe("exhausted");
  });

  test("of one caller are so many at most, and the others read on", async () => {
    const feeds = [];
    for (let index = 0; index < mostReadersOfCaller; index += 1)
      feeds.push(await open(id, "baker"));
    expect(await bench.watch.open(bench.project, id, "baker")).toBe("too-many");
    feeds.push(await open(id, "florist"));
    feeds[7]?.close();
    feeds.push(await open(id, "baker"));
    expect(await bench.watch.open(bench.project, id, "baker")).toBe("too-many");
    expect(bench.watch.count()).toBe(mostReadersOfCaller + 1);
    for (const feed of feeds) feed.close();
    feeds.push(await open(id, "baker"));
    expect(bench.watch.count()).toBe(1);
  });

  test("end when the server stops, and none comes after", async () => {
    const feed = await open();
    await feed.next();
    const next = feed.next();
    bench.watch.close();
    expect(await next).toBeNull();
    feed.close();
    expect(await bench.watch.open(bench.project, id, "baker")).toBe("closed");
    expect(bench.watch.count()).toBe(0);
    expect(bench.pauses.count(lookEveryMs)).toBe(0);
  });
});
