import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { beforeEach, expect, test } from "vitest";
import { testMessage } from "../../test/fake-push.ts";
import {
  startPushService,
  type ReceivedPush,
  type TestPushService,
} from "../../webpush/testing/push-service.ts";
import type { PushThreads } from "./push-threads.ts";
import {
  browser,
  numberOf,
  project,
  recipient,
  threadsScene,
  type ThreadsOptions,
} from "./testing/scene.ts";

const endsAtMs = Date.now() + 60_000;
const message = testMessage();
const senderClosed = { kind: "retry", reason: "sender-closed", notBefore: null, detail: "" };
const senderFailed = { ...senderClosed, reason: "sender-failed" };

const scene = threadsScene();
const { errors } = scene;
let service: TestPushService;
beforeEach(async () => {
  service = await scene.serve((certificates) => startPushService({ certificates }));
});

function start(more?: ThreadsOptions): PushThreads {
  return scene.start(service, more);
}

const answer = (push: ReceivedPush | undefined, status: number) =>
  push?.stream.respond({ ":status": status }, { endStream: true });

test("each push gets its own outcome, in whatever order the answers come", async () => {
  const { send } = start();
  const other = testMessage({ ...message, notification: { title: "Outro" } });
  const sent = [1, 2, 3].map((id) => send(id === 2 ? other : message, recipient(id), endsAtMs));
  await service.arrival(2);
  const statuses: Record<number, number> = { 1: 201, 2: 410, 3: 503 };
  for (const push of service.received.toReversed()) answer(push, statuses[numberOf(push)] ?? 0);
  expect(await Promise.all(sent)).toMatchObject([
    { kind: "accepted", status: 201 },
    { kind: "gone", status: 410 },
    { kind: "retry", reason: "service-unavailable", status: 503 },
  ]);
  const titles = service.received
    .toSorted((one, another) => numberOf(one) - numberOf(another))
    .map(({ body }) => JSON.parse(browser.open(body).toString()).notification.title);
  expect(titles).toEqual(["Olá", "Outro", "Olá"]);
});

test("one thread, and one connection, as long as there is little to send; more for much, and at most so many", async () => {
  const { send, close } = start({ most: 2 });
  const few = Array.from({ length: 20 }, (_, id) => send(message, recipient(id), endsAtMs));
  await service.arrival(19);
  expect(service.connections()).toBe(1);
  const many = Array.from({ length: 180 }, (_, id) => send(message, recipient(20 + id), endsAtMs));
  await service.arrival(199);
  expect(service.connections()).toBe(2);
  const perConnection = [0, 1].map(
    (index) => service.received.filter(({ connection }) => connection === index).length,
  );
  expect(perConnection).toEqual([100, 100]);
  for (const push of service.received) answer(push, 201);
  const outcomes = await Promise.all([...few, ...many]);
  expect(outcomes.filter(({ kind }) => kind === "accepted")).toHaveLength(200);
  await close();
});

test("closing lets what is under way end, and sends nothing more", async () => {
  const { send, close } = start();
  const sent = send(message, recipient(1), endsAtMs);
  const push = await service.arrival(0);
  const closing = close();
  expect(await send(message, recipient(2), endsAtMs)).toEqual(senderClosed);
  answer(push, 201);
  expect(await sent).toMatchObject({ kind: "accepted" });
  await closing;
  await close();
  expect(service.received).toHaveLength(1);
  expect(errors).not.toHaveBeenCalled();
});

test("a thread that dies as it starts has sent nothing, which is said; the next push gets another thread", async () => {
  // No key in it can be read: each thread ends as it starts.
  const unreadable = { ...project, keys: { ...project.keys, all: [null as never] } };
  const { send, close } = start({ project: unreadable });
  for (const threads of [1, 2]) {
    const sent = [1, 2].map((id) => send(message, recipient(id), endsAtMs));
    expect(await Promise.all(sent)).toEqual([senderFailed, senderFailed]);
    expect(errors).toHaveBeenCalledTimes(threads);
  }
  expect(errors.mock.lastCall?.[0]).toContain("a thread that sends pushes has ended");
  await close();
});

test("a push that breaks its thread counts as tried, with whatever else is under way there; others go on", async () => {
  const { send } = start();
  const hanging = send(message, recipient(1), endsAtMs);
  await service.arrival(0);
  // What no caller does: the thread throws where nobody catches.
  const breaking = send(undefined as never, recipient(2), endsAtMs);
  expect(await Promise.all([hanging, breaking])).toEqual([senderFailed, senderFailed]);
  expect(errors.mock.lastCall?.[0]).toContain("a push of no message");
  const next = send(message, recipient(3), endsAtMs);
  answer(await service.arrival(1), 201);
  expect(await next).toMatchObject({ kind: "accepted" });
});

// Linux alone knows priorities of threads, and tells them.
test.runIf(process.platform === "linux")("threads that send stand back, and no other", async () => {
  const before = standingBack();
  const { send } = start();
  const sent = send(message, recipient(1), endsAtMs);
  answer(await service.arrival(0), 201);
  await sent;
  expect(standingBack()).toBe(before + 1);
});

/** How many threads of this process do. */
function standingBack(): number {
  return readdirSync("/proc/self/task").filter((id) => nicenessOf(Number(id)) > getPriority())
    .length;
}

/** proc_pid_stat(5), field 19. */
function nicenessOf(threadId: number): number {
  const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
}

test("a thread loads no package, such as the one that checks what visitors send: each would cost its memory and its start", () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        loaded.push(url);
        return next(url, context);
      },
    });
    const started = import(${JSON.stringify(import.meta.resolve("./push-thread.ts"))});
    await started.catch(({ message }) => console.log(message));
    const isPackage = (url) => url.includes("/node_modules/") || url.endsWith("/protocol/src/index.ts");
    console.log(loaded.length > 20, loaded.filter(isPackage));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stdout).toBe("this runs in a thread that start-thread.ts starts\ntrue []\n");
});
