/** A browser looks how the server knows it. */
import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { lookResponseSchema, type HttpErrorCode } from "@sineta/protocol";
import { appBench, expectProblem, origin, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser, testSubscription, type TestBrowser } from "../test/browser.ts";

const dayMs = 24 * 60 * 60 * 1000;
const startMs = 100 * dayMs;

let bench: AppBench;
let nowMs: number;
let browser: TestBrowser;
let token: string;
beforeEach(async () => {
  nowMs = startMs;
  bench = await appBench({ browsersNow: () => nowMs });
  browser = testBrowser();
  token = await tokenOf(await bench.post(browser));
});
afterEach(() => bench.close());

async function seen(looked: Promise<Response> | Response) {
  const response = await looked;
  expect(response.status).toBe(200);
  return lookResponseSchema.parse(await response.json());
}
const look = (clientSecret = browser.clientSecret) => seen(bench.look(token, clientSecret));
const hashOf = (endpoint: string) =>
  createHash("sha256").update(endpoint).digest("base64url").slice(0, 12);
const seenAtMs = async () =>
  (await bench.store.registrations.see(bench.project.id, token))?.seenAtMs;

describe("a browser that looks", () => {
  test("is live: the server names the VAPID key and the endpoint that it knows", async () => {
    expect(await look()).toEqual({
      state: "live",
      vapidKey: bench.project.keys.current.publicKey,
      endpointHash: hashOf(browser.subscription.endpoint),
    });
    const renewed = { ...browser, subscription: testSubscription() };
    await bench.post(renewed, { more: { token } });
    expect(await look()).toMatchObject({ endpointHash: hashOf(renewed.subscription.endpoint) });
  });

  test("is gone once the push service has said so", async () => {
    await bench.deliver(token, "gone");
    expect(await look()).toEqual({ state: "gone" });
  });

  test("is unknown when it has left", async () => {
    await bench.startMessage();
    await bench.remove(token, browser.clientSecret);
    expect(await bench.find(token)).not.toBeNull();
    expect(await look()).toEqual({ state: "unknown" });
  });

  test("is unknown if secret, token or project is wrong", async () => {
    const stranger = testBrowser();
    expect(await look(stranger.clientSecret)).toEqual({ state: "unknown" });
    const nobody = randomBytes(32).toString("base64url");
    for (const other of [nobody, "0", "x".repeat(5_000)]) {
      expect(await seen(bench.look(other, browser.clientSecret))).toEqual({ state: "unknown" });
    }
    const elsewhere = bench.look(token, browser.clientSecret, { project: "second" });
    expect(await seen(elsewhere)).toEqual({ state: "unknown" });
  });
});

test("a browser with a key that this server does not have is unknown, and may register anew", async () => {
  const keys = vi.spyOn(bench.project.keys, "all", "get").mockReturnValue([]);
  expect(await look()).toEqual({ state: "unknown" });
  keys.mockRestore();
});

test("a browser gets its answer on a full disk, and no other error is hidden", async () => {
  nowMs += dayMs;
  const noteSeen = vi.spyOn(bench.store.registrations, "noteSeen");
  noteSeen.mockRejectedValueOnce(Object.assign(new Error("full"), { errcode: 13 }));
  expect(await look()).toMatchObject({ state: "live" });
  noteSeen.mockRejectedValueOnce(new Error("broken"));
  await expectProblem(await bench.look(token, browser.clientSecret), "internal");
});

describe("what a look writes", () => {
  test.for<[string, number, boolean]>([
    ["nothing before a day has passed", dayMs - 1, false],
    ["the time when a day has passed", dayMs, true],
    ["the time when the clock was put back", -60_000, true],
  ])("%s", async ([, passedMs, isWritten]) => {
    nowMs += passedMs;
    await look();
    expect(await seenAtMs()).toBe(isWritten ? nowMs : startMs);
  });

  test("once a day, however often it looks at once", async () => {
    const database = new DatabaseSync(bench.databaseFile, { readOnly: true });
    onTestFinished(() => database.close());
    const version = () => Number(database.prepare("pragma data_version").get()?.["data_version"]);
    nowMs += dayMs;
    const noteSeen = vi.spyOn(bench.store.registrations, "noteSeen");
    await Promise.all(Array.from({ length: 20 }, () => look()));
    // The store writes none that another look has written within the day.
    expect(noteSeen).toHaveBeenLastCalledWith(expect.anything(), nowMs - dayMs + 1, nowMs);
    const before = version();
    for (let looked = 0; looked < 20; looked += 1) {
      nowMs += dayMs / 20 - 1;
      await look();
    }
    expect(version()).toBe(before);
  });

  test("nothing if the secret is wrong, or the registration has ended", async () => {
    nowMs += 2 * dayMs;
    await look(testBrowser().clientSecret);
    expect(await seenAtMs()).toBe(startMs);
    await bench.deliver(token, "gone");
    await look();
    expect(await seenAtMs()).toBe(startMs);
    await bench.remove(token, browser.clientSecret);
    await look();
    expect(await seenAtMs()).toBe(startMs);
  });
});

describe("what a look needs", () => {
  test.for<[string, HttpErrorCode, Record<string, string | null>, string?]>([
    ["an Origin", "origin-missing", { Origin: null }],
    ["an origin of the project's", "origin-not-allowed", { Origin: "https://evil.example" }],
    ["a body that is declared", "content-type-unsupported", { "Content-Type": null }],
    ["a body of text", "content-type-unsupported", { "Content-Type": "application/json" }],
    ["a secret", "client-secret-malformed", {}, ""],
    ["a secret of 32 bytes", "client-secret-malformed", {}, "abc"],
    ["a secret without quotes", "client-secret-malformed", {}, `"${"a".repeat(43)}"`],
    ["a secret of base64url", "client-secret-malformed", {}, "\u0000".repeat(43)],
    ["no more than a secret", "body-too-large", {}, "a".repeat(65)],
    ["no more than a secret, by its length", "body-too-large", { "Content-Length": "65" }],
    ["a length that is one", "body-too-large", { "Content-Length": "-1" }],
    ["a length that is true", "body-too-large", { "Content-Length": "1" }, "a".repeat(65)],
  ])("%s: %s", async ([, code, headers, secret = browser.clientSecret]) => {
    nowMs += 2 * dayMs;
    await expectProblem(await bench.look(token, secret, { headers }), code);
    expect(await seenAtMs()).toBe(startMs);
  });

  test("no header that a browser would ask leave for", async () => {
    // Fetch standard, "CORS-safelisted request-header": this type needs no preflight.
    const plain = bench.look(token, browser.clientSecret, {
      headers: { "Content-Type": "text/plain" },
    });
    expect(await seen(plain)).toMatchObject({ state: "live" });
  });
});

test("an answer is small, and the project's pages alone can read it", async () => {
  const answer = await bench.look(token, browser.clientSecret);
  const { headers } = answer;
  expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  const body = await answer.text();
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  // With an origin of 40 characters; those of HTTP itself are not ours.
  const longOrigin = 40 - origin.length;
  expect(lines.join("").length + body.length + longOrigin).toBeLessThan(300);
});

test("the refusal of a look carries every security header", async () => {
  const refused = await bench.look(token, browser.clientSecret, {
    headers: { Origin: "https://evil.example" },
  });
  expect(refused.headers.get("Access-Control-Allow-Origin")).toBeNull();
  expect(refused.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
});
