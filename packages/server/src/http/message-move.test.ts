import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageStatusSchema, publishedSchema } from "@sineta/protocol";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let key: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
});
afterEach(() => bench.close());

// The bench's clock stands at one second past 1970.
const nine = "1970-01-02T09:00:00.000Z";
const ten = "1970-01-02T10:00:00.000Z";
const local = "1970-01-03T09:00";

const request = (over: object = {}) => ({
  target: { kind: "all" },
  notification: { title: "Olá" },
  scheduleAt: nine,
  ...over,
});
const publish = (over: object = {}, by = key) => bench.ask("messages", by, request(over));
const move = (id: string, to: object | string, headers: Record<string, string> = {}, by = key) =>
  bench.ask(`messages/${id}/move`, by, to, headers);
const idOf = async (response: Response) => publishedSchema.parse(await response.json()).id;
const status = async (id: string) =>
  messageStatusSchema.parse(await (await bench.ask(`messages/${id}`, key)).json());

let id: string;
beforeEach(async () => {
  id = await idOf(await publish());
});

describe("moving a message", () => {
  test("answers with the message that takes its place, and where its status is", async () => {
    const response = await move(id, { scheduleAt: ten });
    expect(response.status).toBe(202);
    const next = await idOf(response.clone());
    expect(await response.json()).toEqual({ id: next, state: "scheduled", scheduleAt: ten });
    expect(response.headers.get("Location")).toBe(`/v1/projects/default/messages/${next}`);
    expect(await status(next)).toMatchObject({ replaces: id, scheduleAt: ten });
    expect(await status(id)).toMatchObject({ state: "cancelled", replacedBy: next });
  });

  test("may be to a time of each reader's", async () => {
    const next = await idOf(await move(id, { scheduleAtLocal: local }));
    expect(await status(next)).toMatchObject({ scheduleAtLocal: local });
  });

  test("with an Idempotency-Key happens once, however often it is asked for", async () => {
    const headers = { "Idempotency-Key": "move-42" };
    const first = await move(id, { scheduleAt: ten }, headers);
    const again = await move(id, { scheduleAt: ten }, headers);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(await first.json());
    await expectProblem(await move(id, { scheduleAt: ten }), "message-replaced");
  });

  test.for([
    {},
    { scheduleAt: null },
    { scheduleAt: ten, scheduleAtLocal: local },
    { scheduleAt: "tomorrow" },
    { scheduledAt: ten },
    { scheduleAt: ten, title: "x" },
  ])("not by %j", async (to) => {
    await expectProblem(await move(id, to), "body-invalid");
    expect(await status(id)).toMatchObject({ state: "scheduled" });
  });

  test("not to the past", async () => {
    await expectProblem(await move(id, { scheduleAt: "1969-12-31T09:00Z" }), "schedule-in-past");
    expect(await status(id)).toMatchObject({ state: "scheduled" });
  });

  test("not once its sending has begun", async () => {
    const started = await bench.startMessage();
    await expectProblem(await move(started, { scheduleAt: ten }), "message-started");
    expect((await bench.ask(`messages/${started}/cancel`, key, "")).status).toBe(200);
    await expectProblem(await move(started, { scheduleAt: ten }), "message-ended");
  });

  test("not of another project's", async () => {
    const other = await bench.store.projects.ensure("other", 1);
    const theirs = await bench.startMessage(other.id);
    await expectProblem(await move(theirs, { scheduleAt: ten }), "message-not-found");
    expect(await bench.store.messages.find(other.id, theirs)).toMatchObject({ state: "sending" });
  });

  test("is for a key that may send, which hears of no token that it did not name", async () => {
    const gone = "A".repeat(43);
    const token = await tokenOf(await bench.post(testBrowser()));
    const target = { kind: "tokens", tokens: [token, gone] };
    const listed = await idOf(await publish({ target }));
    const sends = await bench.key(undefined, ["send"]);
    const moved = await move(listed, { scheduleAt: ten }, {}, sends);
    expect(moved.status).toBe(202);
    const next = await moved.json();
    expect(next).not.toHaveProperty("unknown");
    const again = await move(publishedSchema.parse(next).id, { scheduleAt: nine });
    expect(await again.json()).toMatchObject({ unknown: { count: 1, tokens: [gone] } });
    const reads = await bench.key(undefined, ["read"]);
    await expectProblem(await move(id, { scheduleAt: ten }, {}, reads), "scope-missing");
  });
});

test("a refused move names the topic of the message to no key that may not read", async () => {
  await bench.store.topics.add(bench.project.id, { name: "secret", policy: "kept" }, 1);
  const toTopic = await idOf(await publish({ target: { kind: "topic", topic: "secret" } }));
  const topic = await bench.store.topics.find(bench.project.id, "secret");
  await bench.store.topics.remove(topic?.id ?? 0);
  const sends = await bench.key(undefined, ["send"]);
  const told = await expectProblem(await move(toTopic, { scheduleAt: ten }), "topic-unknown");
  expect(told.fields).toMatchObject([{ name: "secret" }]);
  const hidden = await move(toTopic, { scheduleAt: ten }, {}, sends);
  expect(await expectProblem(hidden, "topic-unknown")).not.toHaveProperty("fields");
  const past = await move(id, { scheduleAt: "1969-12-31T09:00Z" }, {}, sends);
  const problem = await expectProblem(past, "schedule-in-past");
  expect(problem.fields).toMatchObject([{ path: "scheduleAt" }]);
});

describe("a publication that replaces a message", () => {
  test("says other words at another time", async () => {
    const notification = { title: "Oi" };
    const next = await idOf(await publish({ replaces: id, notification, scheduleAt: ten }));
    expect(await status(next)).toMatchObject({ replaces: id, notification, scheduleAt: ten });
    expect(await status(id)).toMatchObject({ state: "cancelled", replacedBy: next });
  });

  test("is refused a second time, as its cancel is, with the id of the successor", async () => {
    const next = await idOf(await publish({ replaces: id }));
    for (const attempt of [
      () => publish({ replaces: id }),
      () => bench.ask(`messages/${id}/cancel`, key, ""),
    ]) {
      expect(await expectProblem(await attempt(), "message-replaced")).toMatchObject({
        messageId: next,
      });
    }
    expect(await status(next)).toMatchObject({ state: "scheduled" });
  });

  test("is refused if `replaces` is no id", async () => {
    const problem = await expectProblem(await publish({ replaces: "x" }), "body-invalid");
    expect(problem.fields).toMatchObject([{ path: "replaces" }]);
  });
});
