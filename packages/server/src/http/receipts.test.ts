import { createHmac, randomBytes, randomUUIDv7 } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HttpErrorCode, Receipt } from "@sineta/protocol";
import { appBench, expectProblem, origin, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

const receiptsPath = "/v1/projects/default/receipts";

let bench: AppBench;
let messageId: string;
let token: string;
beforeEach(async () => {
  bench = await appBench();
  token = await tokenOf(await bench.post(testBrowser()));
  messageId = await bench.startMessage();
});
afterEach(() => bench.close());

function keyOf(message: string, of: string, secret = bench.project.receiptSecret): string {
  const whole = createHmac("sha256", secret).update(`${message}\n${of}`).digest();
  return whole.subarray(0, 16).toString("base64url");
}

const receipt = (over: object = {}): Receipt => ({
  messageId,
  token,
  key: keyOf(messageId, token),
  event: "displayed",
  ...over,
});

async function report(
  body: unknown = receipt(),
  headers: Record<string, string> = {},
): Promise<Response> {
  return bench.app.request(receiptsPath, {
    method: "POST",
    headers: { Origin: origin, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const counted = async (id = messageId) =>
  (await bench.store.messages.find(bench.project.id, id))?.receipts;

const none = { displayed: 0, clicked: 0, closed: 0 };

describe("a receipt", () => {
  test("is answered with 204, the first as every repetition, and counted once", async () => {
    for (let time = 0; time < 3; time += 1) {
      const response = await report();
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe(origin);
      expect(await counted()).toEqual({ ...none, displayed: 1 });
    }
    await report(receipt({ event: "clicked", action: "1" }));
    await report(receipt({ event: "closed" }));
    expect(await counted()).toEqual({ displayed: 1, clicked: 1, closed: 1 });
    expect([...(await bench.store.receipts.clicksByAction(messageId))]).toEqual([["1", 1]]);
  });

  test("of two hundred at once, from four browsers, counts once for each", async () => {
    const tokens = [token];
    while (tokens.length < 4) tokens.push(await tokenOf(await bench.post(testBrowser())));
    const all = Array.from({ length: 200 }, (_, index) => {
      const own = tokens[index % 4] ?? "";
      const event = index % 8 < 4 ? "displayed" : "clicked";
      return receipt({ token: own, key: keyOf(messageId, own), event });
    });
    const responses = await Promise.all(all.map((each) => report(each)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await counted()).toEqual({ displayed: 4, clicked: 4, closed: 0 });
  });

  test("of a browser that has left counts", async () => {
    const browser = testBrowser();
    const own = await tokenOf(await bench.post(browser));
    const sent = await bench.startMessage();
    await bench.remove(own, browser.clientSecret);
    const key = keyOf(sent, own);
    const late = receipt({ messageId: sent, token: own, key, event: "closed" });
    expect((await report(late)).status).toBe(204);
    expect(await counted(sent)).toEqual({ ...none, closed: 1 });
  });

  test("may be sent by the project's pages, as JSON", async () => {
    const response = await bench.app.request(receiptsPath, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe(origin);
  });
});

describe("is refused, all alike, and nothing is counted", () => {
  test("a wrong key, an unknown message, an unknown token", async () => {
    const stranger = randomBytes(32).toString("base64url");
    const unknown = randomUUIDv7();
    const second = await bench.startMessage();
    const refused = await Promise.all(
      [
        receipt({ key: "A".repeat(22) }),
        receipt({ key: keyOf(second, token) }),
        receipt({ key: keyOf(messageId, token, randomBytes(32)) }),
        receipt({ messageId: second }),
        // Nobody but the server can make these keys: it takes its secret to come so far.
        receipt({ messageId: unknown, key: keyOf(unknown, token) }),
        receipt({ token: stranger, key: keyOf(messageId, stranger) }),
      ].map((each) => report(each)),
    );
    const texts = await Promise.all(refused.map((response) => response.clone().text()));
    for (const response of refused) await expectProblem(response, "receipt-refused");
    expect(new Set(texts).size).toBe(1);
    expect(await counted()).toEqual(none);
    expect(await counted(second)).toEqual(none);
  });

  test("a message of another project", async () => {
    const other = await bench.store.projects.ensure("other", 1_000);
    const foreign = await bench.startMessage(other.id);
    await expectProblem(
      await report(receipt({ messageId: foreign, key: keyOf(foreign, token) })),
      "receipt-refused",
    );
    expect((await bench.store.messages.find(other.id, foreign))?.receipts).toEqual(none);
  });

  test("without the database being asked, where the key is wrong", async () => {
    const right = receipt();
    await bench.store.close();
    await expectProblem(await report({ ...right, key: "A".repeat(22) }), "receipt-refused");
    const asked = await expectProblem(await report(right), "internal");
    expect(asked.instance).toMatch(/^urn:uuid:/);
  });
});

describe("bad input is a problem, and nothing is counted", () => {
  test.for<[string, HttpErrorCode, () => Promise<Response> | Response]>([
    ["no JSON", "json-malformed", () => report("{")],
    ["an empty object", "body-invalid", () => report({})],
    ["an event that is none", "body-invalid", () => report(receipt({ event: "seen" }))],
    ["a message id that is none", "body-invalid", () => report(receipt({ messageId: "1" }))],
    ["a key that is none", "body-invalid", () => report(receipt({ key: "short" }))],
    ["a token that is none", "body-invalid", () => report(receipt({ token: "x" }))],
    ["a long action", "body-invalid", () => report(receipt({ action: "x".repeat(65) }))],
    ["too large", "body-too-large", () => report(receipt({ pad: "x".repeat(1_024) }))],
    [
      "a form",
      "content-type-unsupported",
      () => report(receipt(), { "Content-Type": "text/plain" }),
    ],
    [
      "a wrong key from a foreign Origin",
      "receipt-refused",
      () => report(receipt({ key: "A".repeat(22) }), { Origin: "https://evil.example" }),
    ],
    [
      "no Origin",
      "origin-missing",
      () =>
        bench.app.request(receiptsPath, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(receipt()),
        }),
    ],
  ])("%s: %s", async ([, code, ask]) => {
    await expectProblem(await ask(), code);
    expect(await counted()).toEqual(none);
  });

  test("an unknown project", async () => {
    const response = await bench.app.request("/v1/projects/other/receipts", {
      method: "POST",
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify(receipt()),
    });
    await expectProblem(response, "project-unknown");
    expect(await counted()).toEqual(none);
  });
});

test("the OpenAPI document describes the route", async () => {
  const document: unknown = await (await bench.app.request("/v1/openapi.json")).json();
  expect(document).toMatchObject({
    components: { schemas: { Receipt: expect.anything() } },
    paths: {
      "/v1/projects/{project}/receipts": {
        post: { responses: { 204: expect.anything(), 403: expect.anything() } },
      },
    },
  });
});
