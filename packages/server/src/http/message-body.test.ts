import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  messageRequestSchema,
  messageStatusSchema,
  notificationSchema,
  publishedSchema,
} from "@sineta/protocol";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
let key: string;
let editor: Record<string, string>;
beforeEach(async () => {
  bench = await appBench();
  key = await bench.key();
  editor = (await bench.operator("editor")).headers;
});
afterEach(() => bench.close());

const bare = { target: { kind: "all" }, notification: { title: "Olá" } };

const ways: [name: string, send: (body: string) => Response | Promise<Response>][] = [
  ["a message", (body) => bench.ask("messages", key, body)],
  [
    "a draft",
    async (body) => {
      const path = `/v1/projects/default/drafts/${randomUUID()}`;
      const headers = { ...editor, "Content-Type": "application/json" };
      const draft = JSON.stringify({ revision: 0, content: {} });
      await bench.app.request(path, { method: "PUT", headers, body: draft });
      return bench.app.request(`${path}/publish`, { method: "POST", headers, body });
    },
  ],
];

const statusOf = async (response: Response) => {
  expect(response.status).toBe(202);
  const { id, state } = publishedSchema.parse(await response.json());
  const status = messageStatusSchema.parse(await (await bench.ask(`messages/${id}`, key)).json());
  expect(status.state).toBe(state);
  return status;
};

describe.for(ways)("publishing %s", ([, send]) => {
  test("takes null in an optional field for its absence", async () => {
    const optional = (shape: Record<string, { isOptional(): boolean }>) =>
      Object.entries(shape).flatMap(([name, field]) => (field.isOptional() ? [name] : []));
    const nulls = (names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
    const ofMessage = optional(messageRequestSchema.shape);
    const ofNotification = optional(notificationSchema.shape);
    expect([ofMessage, ofNotification]).toEqual([
      expect.arrayContaining(["data", "scheduleAt", "dryRun"]),
      expect.arrayContaining(["body", "link", "actions"]),
    ]);
    const message = {
      ...bare,
      ...nulls(ofMessage),
      notification: {
        title: "Olá",
        ...nulls(ofNotification),
        actions: [{ action: "1", title: "Ver", link: null }],
      },
    };
    const status = await statusOf(await send(JSON.stringify(message)));
    expect(status.notification).toEqual({ title: "Olá", actions: [{ action: "1", title: "Ver" }] });
    expect(status.data).toBeUndefined();
    const none = { ...message, notification: { title: "Olá", ...nulls(ofNotification) } };
    expect((await statusOf(await send(JSON.stringify(none)))).notification).toEqual(
      bare.notification,
    );
  });

  test.for<[target: object, kept: object]>([
    [{ kind: "all", topic: null, condition: null, tokens: null }, { kind: "all" }],
    [
      { kind: "user", userId: "ana", topic: null, token: null },
      { kind: "user", userId: "ana" },
    ],
  ])("takes null in the fields of another kind of target for their absence: %j", async (each) => {
    const [target, kept] = each;
    expect((await statusOf(await send(JSON.stringify({ ...bare, target })))).target).toEqual(kept);
  });

  test("reads scheduledAt as scheduleAt, and refuses a message that has both", async () => {
    const at = "1970-01-02T00:00:00.000Z";
    const status = await statusOf(await send(JSON.stringify({ ...bare, scheduledAt: at })));
    expect(status).toMatchObject({ state: "scheduled", scheduleAt: at });
    const none = await statusOf(await send(JSON.stringify({ ...bare, scheduledAt: null })));
    expect(none.state).toBe("sending");
    const data = { scheduledAt: at };
    expect((await statusOf(await send(JSON.stringify({ ...bare, data })))).data).toEqual(data);

    for (const nulls of [
      { scheduledAt: at, scheduleAt: null },
      { scheduledAt: null, scheduleAt: at },
    ]) {
      const named = await statusOf(await send(JSON.stringify({ ...bare, ...nulls })));
      expect(named.scheduleAt).toBe(at);
    }
    const both = JSON.stringify({ ...bare, scheduledAt: at, scheduleAt: at });
    const refused = await expectProblem(await send(both), "body-invalid");
    expect(refused.fields).toEqual([
      { path: "scheduledAt", message: "either scheduleAt or scheduledAt" },
    ]);
    const wrong = await send(JSON.stringify({ ...bare, scheduledAt: "amanhã" }));
    const { fields } = await expectProblem(wrong, "body-invalid");
    expect(fields?.map(({ path }) => path)).toEqual(["scheduleAt"]);
  });

  test("keeps null within data", async () => {
    const data = { a: null, list: [null, { data: null }] };
    const status = await statusOf(await send(JSON.stringify({ ...bare, data })));
    expect(status.data).toEqual(data);
  });

  test.for<[body: object, path: string]>([
    [{ target: { kind: "all" }, notification: { title: null } }, "notification.title"],
    [{ target: null, notification: { title: "Olá" } }, "target"],
    [{ ...bare, notification: { title: "Olá", actions: [null] } }, "notification.actions.0"],
    [{ ...bare, boddy: null }, "boddy"],
    [{ ...bare, notification: { title: "Olá", url: null } }, "notification.url"],
    [{ ...bare, target: { kind: "topic", topic: null, token: null } }, "target.topic"],
    [{ ...bare, target: { kind: "all", topik: null } }, "target.topik"],
    [{ ...bare, target: { kind: null, topic: null } }, "target.kind"],
    [{ ...bare, target: { kind: "tokens", tokens: ["a", null] } }, "target.tokens.1"],
  ])("names a field that must not be null, and one that there is not: %j", async ([body, path]) => {
    const { fields } = await expectProblem(await send(JSON.stringify(body)), "body-invalid");
    expect(fields?.map((field) => field.path)).toEqual([path]);
  });

  test("refuses a number in data that would arrive as another one, by its path", async () => {
    const data = '{"order":{"id":1234567890123456789,"sum":12.5},"list":[1,-1e400]}';
    const body = `{"target":{"kind":"all"},"notification":{"title":"Olá"},"data":${data}}`;
    const { fields } = await expectProblem(await send(body), "body-invalid");
    expect(fields).toEqual([
      {
        path: "data.order.id",
        message: "JavaScript reads 1234567890123456789 as 1234567890123456800: send it as a string",
      },
      { path: "data.list.1", message: "JavaScript reads -1e400 as -Infinity: send it as a string" },
    ]);
    const strings = body
      .replace("1234567890123456789", '"1234567890123456789"')
      .replace("-1e400", "-1e40");
    expect((await statusOf(await send(strings))).data).toEqual({
      order: { id: "1234567890123456789", sum: 12.5 },
      list: [1, -1e40],
    });
  });

  test("leaves a number elsewhere to the schema", async () => {
    const body = '{"target":{"kind":"all"},"notification":{"title":"Olá"},"ttlSeconds":1e400}';
    const { fields } = await expectProblem(await send(body), "body-invalid");
    expect(fields).toEqual([
      { path: "ttlSeconds", message: expect.not.stringContaining("string") },
    ]);
  });

  test("does not look at the numbers of what is refused anyway", async () => {
    const [data, wrong] = ['{"a":1e400}', `"wrong":[${"1e400,".repeat(20_000)}1]`];
    const body = `{"target":{"kind":"all"},"notification":{"title":"Olá"},"data":${data},${wrong}}`;
    const { fields } = await expectProblem(await send(body), "body-invalid");
    expect(fields?.map(({ path }) => path)).toEqual(["wrong"]);
    const large = `{"target":{"kind":"all"},"notification":{"title":"Olá"},"data":{${wrong}}}`;
    await expectProblem(await send(large), "notification-too-large");
  });

  test("names at most fifty such numbers, each shortened", async () => {
    const many = `[${Array.from({ length: 100 }, () => "1".repeat(60)).join(",")}]`;
    const body = `{"target":{"kind":"all"},"notification":{"title":"Olá"},"data":{"a":${many}}}`;
    const { fields } = await expectProblem(await send(body), "body-invalid");
    expect(fields).toHaveLength(50);
    expect(fields?.[0]?.message).toMatch(/^JavaScript reads 1{40}… as 1\.1/);
  });

  test.for(["[", '{"a":'])("refuses what nests too deep beside a null: %s", async (opening) => {
    const depth = 20_000;
    const deep = `${opening.repeat(depth)}1${(opening === "[" ? "]" : "}").repeat(depth)}`;
    const body = `{"target":{"kind":"all"},"notification":{"title":"Olá","body":null},"data":{"a":${deep}}}`;
    await expectProblem(await send(body), "body-invalid");
    expect(bench.logged.join("")).not.toContain("request failed");
  });
});
