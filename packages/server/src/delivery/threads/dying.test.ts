import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { beforeEach, expect, test } from "vitest";
import { testMessage } from "../../test/fake-push.ts";
import type { Outcome } from "../../webpush/outcome.ts";
import { startPushService, type TestPushService } from "../../webpush/testing/push-service.ts";
import { accept } from "../../webpush/testing/scene.ts";
import type { PushThreads } from "./push-threads.ts";
import { recipient, threadsScene } from "./testing/scene.ts";

const endsAtMs = Date.now() + 60_000;
const message = testMessage();
/** An attempt, as `sender-closed` and `withdrawn` are not (page.ts). */
const senderFailed = { kind: "retry", reason: "sender-failed", notBefore: null, detail: "" };

const { errors, serve, start } = threadsScene();
let service: TestPushService;
beforeEach(async () => {
  service = await serve((certificates) => startPushService({ certificates }));
});

/** Threads, and the one that is there from the start. */
async function scene(): Promise<PushThreads & { worker: Worker }> {
  const started = new Promise<Worker>((resolve) => {
    process.once("worker", resolve);
  });
  const threads = start(service, { most: 1 });
  return { ...threads, worker: await started };
}

function sendEach({ send }: PushThreads, ids: readonly number[]): Promise<Outcome[]> {
  return Promise.all(ids.map((id) => send(message, recipient(id), endsAtMs)));
}

/** Another thread sends what comes next. */
async function sendsOn({ send }: PushThreads): Promise<void> {
  const at = service.received.length;
  const sent = send(message, recipient(99), endsAtMs);
  accept(await service.arrival(at));
  expect(await sent).toMatchObject({ kind: "accepted" });
}

const allFailed = (count: number): Outcome[] =>
  Array.from({ length: count }, () => senderFailed as Outcome);

test("a push that takes all memory of its thread is an attempt, with whatever else was there", async () => {
  const threads = await scene();
  const hanging = sendEach(threads, [1, 2]);
  await service.arrival(1);
  // Few bytes between the threads, and a heap full of objects when it is written down.
  const action = { action: "1", title: "Ver", link: `/${"x".repeat(2_000)}` };
  const actions = Array.from({ length: 300_000 }, () => action);
  const heavy = testMessage({ notification: { title: "Olá", actions } });
  const behind = [threads.send(heavy, recipient(3), endsAtMs), sendEach(threads, [4, 5])];
  expect(await hanging).toEqual(allFailed(2));
  expect((await Promise.all(behind)).flat()).toEqual(allFailed(3));
  expect(errors.mock.lastCall?.[0]).toContain("ERR_WORKER_OUT_OF_MEMORY");
  await sendsOn(threads);
});

test("what was in a thread that ends by itself is an attempt, with what is handed in until that is known", async () => {
  const threads = await scene();
  const { worker } = threads;
  const hanging = sendEach(threads, [1, 2]);
  await service.arrival(1);
  const known = new AbortController();
  worker.once("exit", () => known.abort());
  void worker.terminate();
  const late: Promise<Outcome[]>[] = [];
  while (!known.signal.aborted) {
    late.push(sendEach(threads, [3]));
    await setImmediate();
  }
  expect(await hanging).toEqual(allFailed(2));
  expect((await Promise.all(late)).flat()).toEqual(allFailed(late.length));
  expect(errors.mock.lastCall?.[0]).toContain("it ended by itself");
  await sendsOn(threads);
});

test("what is handed in as a thread's error is told, before its end, is not lost", async () => {
  const threads = await scene();
  const late = new Promise<Outcome[]>((resolve) => {
    threads.worker.once("error", () => resolve(sendEach(threads, [3, 4])));
  });
  // What no caller does: the thread throws where nobody catches.
  const breaking = threads.send(undefined as never, recipient(2), endsAtMs);
  expect(await breaking).toEqual(senderFailed);
  expect(await late).toEqual(allFailed(2));
  await sendsOn(threads);
});

test("outcomes that a thread told before it died count", async () => {
  const threads = await scene();
  const sent = sendEach(threads, [1]);
  const hanging = sendEach(threads, [2]);
  await service.arrival(1);
  for (const push of service.received) if (push.headers[":path"] === "/fcm/send/1") accept(push);
  await sent;
  void threads.worker.terminate();
  expect(await sent).toMatchObject([{ kind: "accepted" }]);
  expect(await hanging).toEqual(allFailed(1));
});

test.for<[string, (worker: Worker) => void]>([
  ["ends by itself", (worker) => void worker.terminate()],
  // What nobody posts: the thread throws where nobody catches.
  ["throws", (worker) => worker.postMessage({ kind: "send", messages: [], pushes: [[1, 0, 0]] })],
])("what was in a thread that %s while it is closing is an attempt, too", async ([, kill]) => {
  const threads = await scene();
  const hanging = sendEach(threads, [1, 2]);
  await service.arrival(1);
  const closing = threads.close();
  kill(threads.worker);
  expect(await hanging).toEqual(allFailed(2));
  await closing;
  expect(errors).toHaveBeenCalledTimes(1);
});

test("what was in a thread that had died before it was closed is an attempt, too", async () => {
  const threads = await scene();
  const hanging = sendEach(threads, [1, 2]);
  await service.arrival(1);
  void threads.worker.terminate();
  const unposted = sendEach(threads, [3]);
  await threads.close();
  expect(await hanging).toEqual(allFailed(2));
  expect(await unposted).toEqual(allFailed(1));
});

test("a thread that closes as it is told to has told the outcome of each push", async () => {
  const threads = await scene();
  const hanging = sendEach(threads, [1, 2, 3]);
  const push = await service.arrival(2);
  const closing = threads.close();
  for (const each of service.received.slice(0, 2)) accept(each);
  push.stream.respond({ ":status": 410 }, { endStream: true });
  const kinds = (await hanging).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["accepted", "accepted", "gone"]);
  await closing;
  expect(errors).not.toHaveBeenCalled();
});
