import { request } from "node:http";

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { type PushLab, startPushLab } from "../lab.ts";
import { type Sink, startSink } from "../sink/sink.ts";
import { sendOverHttp2, signedPush } from "../test/application-server.ts";
import { checkIn, subscribe } from "../test/chromium-client.ts";
import { openHttp2 } from "../test/watching-client.ts";

const origin = "https://fcm.googleapis.com";
let lab: PushLab;
let endpoint: string;
let sink: Sink;
beforeAll(async () => {
  lab = await startPushLab();
  endpoint = await subscribe(lab, await checkIn(lab));
  sink = await startSink({ origins: [origin] });
});
afterEach(() => {
  lab.behave();
  sink.behave();
});
afterAll(async () => {
  await lab.close();
  await sink.close();
});

const sendToSink = async (): Promise<number | undefined> => {
  const client = openHttp2({ origin, port: sink.port, caPath: sink.caPath });
  const push = signedPush({ endpoint: sink.subscription(origin, "a").endpoint });
  const { status } = await client.send(push).over;
  client.close();
  return status;
};
const sendToLab = async (): Promise<number> =>
  (await sendOverHttp2(lab, signedPush({ endpoint }))).status;

const json = { "content-type": "application/json" };
const call = async (url: string, method = "GET", body?: string, headers = json) => {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text && JSON.parse(text) };
};

describe.each([
  ["the lab", () => lab.control.url, sendToLab],
  ["the sink", () => sink.controlUrl, sendToSink],
])("%s over HTTP", (_name, url, send) => {
  const rule = { fault: { kind: "answer", status: 503 }, times: 2 };

  test("is told to misbehave, says how often it did, and behaves again", async () => {
    const faults = `${url()}/faults`;
    const made = await call(faults, "POST", JSON.stringify(rule));
    expect(made).toMatchObject({ status: 201, json: { id: expect.any(String) } });
    expect(await send()).toBe(503);
    expect(await call(faults)).toMatchObject({
      status: 200,
      json: [{ id: made.json.id, rule, hits: 1, spent: false }],
    });
    expect(await call(`${faults}/${made.json.id}`, "DELETE")).toMatchObject({ status: 204 });
    expect(await send()).toBe(201);
    expect(await call(`${faults}/${made.json.id}`, "DELETE")).toMatchObject({
      status: 404,
      json: { code: "unknown-fault" },
    });

    for (const _ of [1, 2]) await call(faults, "POST", JSON.stringify(rule));
    expect((await call(faults)).json).toHaveLength(2);
    expect((await call(faults, "DELETE")).status).toBe(204);
    expect((await call(faults)).json).toEqual([]);
    expect(await send()).toBe(201);
  });

  test.each<[string, string | undefined, number, string, RegExp]>([
    ["no JSON", "{", 400, "malformed", /no JSON/],
    ["nothing", undefined, 400, "malformed", /no JSON/],
    [
      "a rule that is none",
      `{"fault":{"kind":"hang"}}`,
      400,
      "invalid-fault",
      /^fault\.at is miss/,
    ],
    [
      "an origin that is not played",
      `{"fault":{"kind":"hang-up"},"origin":"https://other.example"}`,
      400,
      "invalid-fault",
      /^origin is "https:\/\/other\.example"/,
    ],
    ["what is too long", " ".repeat(65_537), 413, "too-large", /65536 bytes/],
    [
      "a deep thing",
      `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
      400,
      "invalid-fault",
      /^the rule/,
    ],
  ])("refuses %s", async (_what, body, status, code, message) => {
    expect(await call(`${url()}/faults`, "POST", body)).toMatchObject({
      status,
      json: { code, message: expect.stringMatching(message) },
    });
    expect((await call(`${url()}/faults`)).json).toEqual([]);
  });

  test.each(["text/plain", "application/jsonp", "application/x-www-form-urlencoded"])(
    "refuses %s, which a page of anybody could send",
    async (type) => {
      const refused = await call(`${url()}/faults`, "POST", JSON.stringify(rule), {
        "content-type": type,
      });
      expect(refused).toMatchObject({ status: 415, json: { code: "content-type" } });
      expect(await send()).toBe(201);
    },
  );

  test.each([
    ["PUT", "/faults", "GET, POST, DELETE"],
    ["GET", "/faults/1", "DELETE"],
    ["POST", "/counts", "GET"],
  ])("says what %s of %s should be", async (method, path, allow) => {
    const refused = await call(`${url()}${path}`, method);
    expect(refused).toMatchObject({ status: 405, json: { code: "method" } });
    expect(refused.headers.get("allow")).toBe(allow);
  });

  test.each(["/", "/fault", "/faults/1/2", "/counts/1", "//"])(
    "has nothing at %s",
    async (path) => {
      expect(await call(`${url()}${path}`)).toMatchObject({
        status: 404,
        json: { code: "not-found" },
      });
    },
  );

  test.each([
    ["localhost", 200],
    ["localhost:1", 200],
    ["[::1]:80", 200],
    ["127.0.0.1", 200],
    ["evil.example", 403],
    ["localhost.evil.example", 403],
    ["127.0.0.1.evil.example:80", 403],
  ])("answers to Host: %j with %i", async (host, status) => {
    const seen = await new Promise((resolve, reject) => {
      request(`${url()}/counts`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end();
    });
    expect(seen).toBe(status);
  });
});

test("the sink counts by origin", async () => {
  sink.reset();
  await sendToSink();
  await sendToSink();
  const { json: counts } = await call(`${sink.controlUrl}/counts`);
  expect(counts).toMatchObject({
    requests: 2,
    accepted: 2,
    distinct: 1,
    duplicates: 1,
    origins: { [origin]: { repeated: { "2": 1 }, statuses: { "201": 2 } } },
  });
  expect(await call(`${sink.controlUrl}/pushes`)).toMatchObject({ status: 404 });
});

test("the lab counts by status, and lists what came after a push", async () => {
  const before = (await call(`${lab.control.url}/counts`)).json;
  await sendToLab();
  lab.misbehave({ fault: { kind: "answer", status: 410 }, times: 1 });
  await sendToLab();
  const { json: counts } = await call(`${lab.control.url}/counts`);
  expect(counts.requests - before.requests).toBe(2);
  expect(counts.statuses["410"] - (before.statuses["410"] ?? 0)).toBe(1);

  const [last, second] = lab.pushes().toReversed();
  const after = await call(`${lab.control.url}/pushes?after=${second?.id}`);
  expect(after.json).toEqual([
    { ...last, body: Buffer.from("sealed").toString("base64url"), status: 410 },
  ]);
  expect((await call(`${lab.control.url}/pushes`)).json).toHaveLength(lab.pushes().length);
  expect((await call(`${lab.control.url}/pushes?after=${last?.id}`)).json).toEqual([]);
  expect(await call(`${lab.control.url}/pushes?after=nobody`)).toMatchObject({
    status: 404,
    json: { code: "unknown-push" },
  });
});
