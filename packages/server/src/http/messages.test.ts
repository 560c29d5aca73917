import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  dryRunSchema,
  messageListSchema,
  messageStatusSchema,
  publishedSchema,
} from "@sineta/protocol";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let key: string;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
});
afterEach(() => bench.close());

const request = (over: object = {}) => ({
  target: { kind: "all" },
  notification: { title: "Olá", body: "O pão saiu do forno." },
  ...over,
});

const publish = (over: object = {}, headers: Record<string, string> = {}) =>
  bench.ask("messages", key, request(over), headers);

async function published(over: object = {}): Promise<string> {
  const response = await publish(over);
  expect(response.status).toBe(202);
  return publishedSchema.parse(await response.json()).id;
}

const count = async () => Object.values(await bench.store.messages.countByState());

describe("publishing", () => {
  test("answers with the message, and where its status is", async () => {
    const response = await publish({ data: { pedido: 42 }, ttlSeconds: 0, urgency: "high" });
    expect(response.status).toBe(202);
    const { id, state, scheduleAt } = publishedSchema.parse(await response.json());
    expect({ state, scheduleAt }).toEqual({
      state: "sending",
      scheduleAt: "1970-01-01T00:00:01.000Z",
    });
    const location = response.headers.get("Location") ?? "";
    expect(location).toBe(`/v1/projects/default/messages/${id}`);
    const headers = { Authorization: `Bearer ${key}` };
    const status = await bench.app.request(location, { headers });
    expect(messageStatusSchema.parse(await status.json())).toMatchObject({
      id,
      state,
      data: { pedido: 42 },
      ttlSeconds: 0,
      urgency: "high",
    });
  });

  test("with an Idempotency-Key once, however often it is asked for", async () => {
    const headers = { "Idempotency-Key": "pedido-42" };
    const first = await publish({}, headers);
    expect(first.status).toBe(202);
    const again = await publish({}, headers);
    expect(again.status).toBe(200);
    expect(again.headers.get("Location")).toBeNull();
    expect(await again.json()).toEqual(await first.json());
    const another = await publish({ ttlSeconds: 60 }, headers);
    await expectProblem(another, "idempotency-key-reused");
    expect(await count()).toEqual([1]);
  });

  test.for([
    ["spaces", "a b"],
    ["an empty one", ""],
    ["a long one", "x".repeat(256)],
  ] as const)("not with %s in the Idempotency-Key", async ([, value]) => {
    const response = await publish({}, { "Idempotency-Key": value });
    await expectProblem(response, "idempotency-key-malformed");
    expect(await count()).toEqual([]);
  });

  test("to tokens tells of those that nobody has", async () => {
    const token = await tokenOf(await bench.post(testBrowser()));
    const target = { kind: "tokens", tokens: [token, "nobody", "nobody"] };
    const unknown = { count: 1, tokens: ["nobody"] };
    const response = await publish({ target });
    expect(publishedSchema.parse(await response.json())).toMatchObject({ unknown });
    const dryRun = await publish({ target, dryRun: true });
    expect(dryRunSchema.parse(await dryRun.json())).toMatchObject({ registrations: 1, unknown });
  });

  test("as a dry run counts and writes nothing", async () => {
    await bench.post(testBrowser());
    const response = await publish({ dryRun: true }, { "Idempotency-Key": "pedido-42" });
    expect(response.status).toBe(200);
    expect(response.headers.get("Location")).toBeNull();
    expect(dryRunSchema.parse(await response.json())).toMatchObject({
      registrations: 1,
      byPushService: [{ pushService: "fcm", registrations: 1 }],
    });
    expect(await count()).toEqual([]);
  });
});

describe("a publication that cannot be is refused, with what is wrong", () => {
  test.for([
    [{ target: { kind: "topic", topic: "nothing" } }, "topic-unknown", "target.topic"],
    [{ target: { kind: "token", token: "nobody" } }, "token-not-found", "target.token"],
    [
      { target: { kind: "condition", condition: "'a' in" } },
      "condition-invalid",
      "target.condition",
    ],
    [{ scheduleAt: "1969-12-31T00:00:00Z" }, "schedule-in-past", "scheduleAt"],
    [{ scheduleAt: "2026-12-01T09:00:00Z" }, "schedule-too-far", "scheduleAt"],
    [{ data: { x: "x".repeat(4000) } }, "notification-too-large", "notification"],
  ] as const)("%o: %s", async ([over, code, path]) => {
    for (const more of [{}, { dryRun: true }]) {
      const { fields } = await expectProblem(await publish({ ...over, ...more }), code);
      expect(fields?.map((field) => field.path)).toEqual([path]);
    }
    expect(await count()).toEqual([]);
  });

  test("unknown fields, each by its path", async () => {
    const response = await publish({
      titel: "?",
      target: { kind: "all", topic: "x" },
      notification: { title: "Olá", boddy: "?", actions: [{ action: "1", title: "x", url: "?" }] },
    });
    const { fields } = await expectProblem(response, "body-invalid");
    expect(fields?.map(({ path }) => path).toSorted()).toEqual([
      "notification.actions.0.url",
      "notification.boddy",
      "target.topic",
      "titel",
    ]);
  });

  test("of ten thousand wrong fields only the first are named", async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]);
    const response = await publish(Object.fromEntries(entries));
    expect((await expectProblem(response, "body-invalid")).fields).toHaveLength(50);
    const target = { kind: "tokens", tokens: Array.from({ length: 1_000 }, () => 7) };
    expect((await expectProblem(await publish({ target }), "body-invalid")).fields).toHaveLength(
      50,
    );
    const long = await publish({ ["x".repeat(100_000)]: 1 });
    expect((await long.text()).length).toBeLessThan(1_000);
  });

  test.for([
    ["javascript:alert(1)"],
    ["//evil.example/"],
    ["data:text/html,x"],
    ["ftp://files.example/"],
    ["https:/loja.example/promo"],
    ["https://ana:segredo@loja.example/"],
    ["\\\\evil.example"],
  ])("the link %s", async ([link]) => {
    const notification = {
      title: "Olá",
      link,
      icon: link,
      actions: [{ action: "1", title: "x", link }],
    };
    const { fields } = await expectProblem(await publish({ notification }), "body-invalid");
    expect(fields?.map(({ path }) => path)).toEqual([
      "notification.link",
      "notification.icon",
      "notification.actions.0.link",
    ]);
  });

  test.for([
    ["a list", "[]"],
    ["a number", "7"],
    ["null", "null"],
    ["lists in lists", "[".repeat(60_000) + "]".repeat(60_000)],
    ["more of them", "[".repeat(100_000) + "]".repeat(100_000)],
    ["objects in objects", '{"target":'.repeat(10_000) + "1" + "}".repeat(10_000)],
    ["deep data", deep("data")],
    ["a deep target", deep("target")],
    ["a deep title", deep("notification")],
  ] as const)("%s instead of a message", async ([, body]) => {
    const response = await bench.ask("messages", key, body);
    // More than 128 KiB of brackets are refused before they are read.
    if (body.length > 128 * 1024) await expectProblem(response, "body-too-large");
    else await expectProblem(response, "body-invalid");
    expect(bench.logged.join("")).not.toContain("request failed");
  });

  test("half of a hundred thousand brackets", async () => {
    await expectProblem(await bench.ask("messages", key, "[".repeat(100_000)), "json-malformed");
    expect(await count()).toEqual([]);
  });
});

describe("the list", () => {
  test("has the newest first, by pages", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1) ids.unshift(await published());
    const page = async (query: string) =>
      messageListSchema.parse(await (await bench.ask(`messages${query}`, key)).json());
    const first = await page("");
    expect(first.messages.map(({ id }) => id)).toEqual(ids.slice(0, 20));
    expect(first.messages[0]?.title).toBe("Olá");
    const second = await page(`?before=${first.next}`);
    expect(second.messages.map(({ id }) => id)).toEqual(ids.slice(20));
    expect(second.next).toBeUndefined();
    const short = await page(`?limit=3&before=${ids[4]}`);
    expect(short.messages.map(({ id }) => id)).toEqual(ids.slice(5, 8));
    expect((await page("?limit=100")).messages).toHaveLength(25);
  });

  test.for([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?limit=", "limit"],
    ["?limit=1.5", "limit"],
    ["?limit=all", "limit"],
    ["?before=yesterday", "before"],
  ] as const)("%s is refused", async ([query, path]) => {
    const response = await bench.ask(`messages${query}`, key);
    const { fields } = await expectProblem(response, "body-invalid");
    expect(fields?.map((field) => field.path)).toEqual([path]);
  });

  test.for([
    ["?limit=1&limit=2", "limit"],
    ["?state=done&state=done", "state"],
  ] as const)("%s is refused for naming it twice", async ([query, path]) => {
    const response = await bench.ask(`messages${query}`, key);
    const { fields } = await expectProblem(response, "body-invalid");
    expect(fields).toEqual([{ path, message: "one value; the address has 2" }]);
  });
});

describe("one message", () => {
  test("can be cancelled once", async () => {
    const id = await published();
    const cancelled = await bench.ask(`messages/${id}/cancel`, key, "");
    expect(cancelled.status).toBe(200);
    expect(messageStatusSchema.parse(await cancelled.json())).toMatchObject({
      id,
      state: "cancelled",
    });
    await expectProblem(await bench.ask(`messages/${id}/cancel`, key, ""), "message-ended");
  });

  test.for(["nothing", "0199c0de-0000-7000-8000-000000000001", "%00", "..%2f"])(
    "%s is not found",
    async (id) => {
      await expectProblem(await bench.ask(`messages/${id}`, key), "message-not-found");
      const cancelled = await bench.ask(`messages/${id}/cancel`, key, "");
      await expectProblem(cancelled, "message-not-found");
      const events = await bench.ask(`messages/${id}/events`, key);
      await expectProblem(events, "message-not-found");
      expect(bench.watch.count()).toBe(0);
    },
  );

  test("of another project is not found either, nor cancelled", async () => {
    const id = await published();
    const headers = { Authorization: `Bearer ${await bench.otherKey()}` };
    const theirs = `/v1/projects/second/messages/${id}`;
    await expectProblem(await bench.app.request(theirs, { headers }), "message-not-found");
    const cancel = await bench.app.request(`${theirs}/cancel`, { method: "POST", headers });
    await expectProblem(cancel, "message-not-found");
    const status = await bench.store.messages.find(bench.project.id, id);
    expect(status?.state).toBe("scheduled");
  });
});

test("a full disk is told of as that", async () => {
  const small = new DatabaseSync(":memory:");
  small.exec("pragma max_page_count = 2; create table things (thing)");
  vi.spyOn(bench.store.messages, "publish").mockImplementationOnce(async () => {
    small.exec("insert into things values (zeroblob(100000))");
    return { kind: "published" };
  });
  const response = await publish();
  await expectProblem(response, "storage-full");
  expect(bench.logged.join("")).toContain("the disk is full");
  expect((await publish()).status).toBe(202);
});

test("a token that reaches somebody may be sent to", async () => {
  const token = await tokenOf(await bench.post(testBrowser()));
  const id = await published({ target: { kind: "tokens", tokens: [token] } });
  const message = await bench.store.messages.find(bench.project.id, id);
  expect(message?.target).toEqual({ kind: "tokens", tokens: [token] });
});

/** A right request but for this field, which nests 10,000 levels. */
function deep(field: string): string {
  const nested = '{"a":'.repeat(10_000) + "1" + "}".repeat(10_000);
  return JSON.stringify(request({ [field]: "DEEP" })).replace('"DEEP"', nested);
}
