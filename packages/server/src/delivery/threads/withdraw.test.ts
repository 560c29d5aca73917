import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { testMessage } from "../../test/fake-push.ts";
import type { Outcome } from "../../webpush/outcome.ts";
import {
  startPushService,
  type ReceivedPush,
  type TestPushService,
} from "../../webpush/testing/push-service.ts";
import { accept } from "../../webpush/testing/scene.ts";
import type { PushThreads } from "./push-threads.ts";
import { numberOf, recipient, threadsScene, type ThreadsOptions } from "./testing/scene.ts";

const { serve, start } = threadsScene();

const endsAtMs = Date.now() + 60_000;
const message = testMessage({ id: "cancelled" });
const other = testMessage({ id: "other" });
const withdrawn = { kind: "retry", reason: "withdrawn", notBefore: null, detail: "" };

type Begun = Pick<ReceivedPush, "stream" | "headers">;

/** Threads, and a push service that allows each of them so many streams at once. */
async function scene(
  streams: number,
  { answers = false, ...more }: ThreadsOptions & { answers?: boolean } = {},
) {
  /** Requests, as soon as their heads are there. */
  const begun: Begun[] = [];
  const service = await serve((certificates) =>
    startPushService({
      certificates,
      settings: { maxConcurrentStreams: streams },
      onHeaders: (push) => {
        begun.push(push);
        if (answers) accept(push);
      },
    }),
  );
  return { service, begun, ...start(service, more) };
}

/** When it resolves, whatever the threads have handed to their sockets has come to the push service. */
async function allArrived({ sessions }: TestPushService): Promise<void> {
  const open = sessions.filter((session) => !session.destroyed);
  await Promise.all(
    open.map((session) => new Promise<void>((resolve) => session.ping(() => resolve()))),
  );
}

function sendEach({ send }: PushThreads, ids: readonly number[], of = message): Promise<Outcome>[] {
  return ids.map((id) => send(of, recipient(id), endsAtMs));
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, id) => id);

test("of a message that is withdrawn nothing begins afterwards; what is under way arrives, and other messages go on", async () => {
  const threads = await scene(2, { most: 2 });
  const { service, begun, withdraw } = threads;
  // More than one thread is given, and in turns with the other message's.
  const outcomes = upTo(200).map((id) =>
    threads.send(id < 150 ? message : other, recipient(id), endsAtMs),
  );
  await service.arrival(3);
  expect(service.connections()).toBe(2);
  await withdraw({ messageId: message.id });
  await allArrived(service);
  const underWay = begun.map(numberOf);
  expect(underWay).toHaveLength(4);
  const isDue = (id: number): boolean => id >= 150 || underWay.includes(id);
  const outcomesOf = (due: boolean): Promise<Outcome[]> =>
    Promise.all(outcomes.filter((_, id) => isDue(id) === due));
  for (const outcome of await outcomesOf(false)) expect(outcome).toEqual(withdrawn);
  const due = upTo(200).filter(isDue).length;
  for (let next = 0; next < due; next += 1) accept(await service.arrival(next));
  for (const outcome of await outcomesOf(true)) expect(outcome).toMatchObject({ kind: "accepted" });
  const after = begun.slice(underWay.length).map(numberOf);
  expect(after.filter((id) => id < 150)).toEqual([]);
  expect(begun).toHaveLength(due);
});

test("to a registration that is withdrawn nothing begins, of whatever message", async () => {
  const threads = await scene(1, { most: 1 });
  const [first, ...later] = [
    ...sendEach(threads, [1, 2, 3]),
    ...sendEach(threads, [1, 2, 3], other),
  ];
  await threads.service.arrival(0);
  await threads.withdraw({ token: recipient(1).token });
  await threads.withdraw({ token: recipient(3).token });
  for (let next = 0; next < 3; next += 1) accept(await threads.service.arrival(next));
  expect(await first).toMatchObject({ kind: "accepted" });
  expect(await Promise.all(later)).toMatchObject([
    { kind: "accepted" },
    withdrawn,
    withdrawn,
    { kind: "accepted" },
    withdrawn,
  ]);
  expect(threads.begun.map(numberOf)).toEqual([1, 2, 2]);
});

test("what is withdrawn in the turn that it was handed in goes to no thread", async () => {
  const threads = await scene(100, { answers: true });
  const outcomes = sendEach(threads, upTo(60));
  const otherOutcome = threads.send(other, recipient(99), endsAtMs);
  await threads.withdraw({ messageId: message.id });
  expect(await Promise.all(outcomes)).toEqual(outcomes.map(() => withdrawn));
  expect(await otherOutcome).toMatchObject({ kind: "accepted" });
  expect(threads.begun.map(numberOf)).toEqual([99]);
});

test("each push that is not withdrawn in time arrives, and none of the others, whenever it is that they are", async () => {
  const threads = await scene(5, { answers: true, most: 2 });
  for (let turns = 0; turns < 12; turns += 1) {
    const before = threads.begun.length;
    const outcomes = sendEach(threads, upTo(300));
    // Not posted yet, posted, being sealed, waiting for a stream: nothing tells, and it must not matter.
    for (let turn = 0; turn < turns * 4; turn += 1) await setImmediate();
    await threads.withdraw({ messageId: message.id });
    await allArrived(threads.service);
    const arrived = new Set(threads.begun.slice(before).map(numberOf));
    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind);
    expect(kinds).toEqual(upTo(300).map((id) => (arrived.has(id) ? "accepted" : "retry")));
    await allArrived(threads.service);
    expect(threads.begun).toHaveLength(before + arrived.size);
  }
});

test("a thread that dies, or has nothing of it, holds up nobody who withdraws", async () => {
  let worker: Worker | null = null;
  process.once("worker", (started: Worker) => {
    worker = started;
  });
  const threads = await scene(1, { most: 1 });
  await threads.withdraw({ messageId: message.id });
  const outcomes = sendEach(threads, upTo(10));
  await threads.service.arrival(0);
  const withdrawal = threads.withdraw({ messageId: message.id });
  void (worker as Worker | null)?.terminate();
  await withdrawal;
  const reasons = (await Promise.all(outcomes)).map(
    (outcome) => "reason" in outcome && outcome.reason,
  );
  for (const reason of reasons) expect(["withdrawn", "sender-failed"]).toContain(reason);
  // It was under way.
  expect(reasons[0]).toBe("sender-failed");
});

test("what is withdrawn while the threads are closing is closed with them", async () => {
  const threads = await scene(1, { most: 1 });
  const outcomes = sendEach(threads, [1, 2]);
  const push = await threads.service.arrival(0);
  const closing = threads.close();
  const withdrawal = threads.withdraw({ messageId: message.id });
  expect(await outcomes[1]).toMatchObject({ kind: "retry", reason: "sender-closed" });
  accept(push);
  expect(await outcomes[0]).toMatchObject({ kind: "accepted" });
  await Promise.all([closing, withdrawal]);
  expect(threads.begun).toHaveLength(1);
});
