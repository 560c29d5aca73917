import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  httpErrors,
  problemSchema,
  registrationResponseSchema,
  type HttpErrorCode,
} from "@sineta/protocol";
import { createLog } from "../log.ts";
import { openDefaultProject } from "../projects/open.ts";
import type { ActiveProject } from "../projects/project.ts";
import { createRegistrations } from "../registrations/registrations.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import type { Store } from "../store/port.ts";
import { testBrowser, testSubscription, type TestBrowser } from "../test/browser.ts";
import { testPlaces } from "../test/places.ts";
import { createApp } from "./app.ts";
import { readSite } from "./site.ts";

const origin = "https://site.example";
const base = "/v1/projects/default/registrations";

let bench: ReturnType<typeof testPlaces>;
let store: Store;
let project: ActiveProject;
let app: ReturnType<typeof createApp>;
let logged: string[];
let nowMs: number;

beforeEach(async () => {
  bench = testPlaces();
  logged = [];
  nowMs = 1_000;
  store = await openSqliteStore(join(bench.folder, "test.db"), nowMs);
  const opened = await openDefaultProject({ store, dataFolder: bench.folder, randomBytes, nowMs });
  project = { ...opened, origins: new Set([origin, "http://localhost:8080"]) };
  app = makeApp();
});
afterEach(async () => {
  await store.close();
  rmSync(bench.folder, { recursive: true });
});

function makeApp(over: { httpsOnly?: boolean } = {}) {
  return createApp({
    projects: new Map([["default", project]]),
    registrations: createRegistrations({
      store: store.registrations,
      endpointPolicy: { hosts: [], routes: [] },
      randomBytes,
      now: () => nowMs,
    }),
    site: readSite(bench.places, {
      server: "",
      project: "default",
      vapidKey: project.keys.current.publicKey,
      worker: "/sineta-sw.js",
      allowLoopback: false,
    }),
    checkReady: () => store.check(),
    log: createLog("trace", { write: (text) => logged.push(text) }),
    newRequestId: randomUUID,
    httpsOnly: over.httpsOnly ?? false,
  });
}

type Changes = { body?: unknown; headers?: Record<string, string | null>; more?: object };

function post(browser: TestBrowser, { body, headers = {}, more = {} }: Changes = {}) {
  const all = new Headers({
    Origin: origin,
    "Content-Type": "application/json",
    "Sineta-Client-Secret": browser.clientSecret,
  });
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  const { publicKey: vapidKey } = project.keys.current;
  const content = body ?? { subscription: browser.subscription, vapidKey, ...more };
  return app.request(base, {
    method: "POST",
    headers: all,
    body: typeof content === "string" ? content : JSON.stringify(content),
  });
}

function remove(token: string, clientSecret: string, headers: Record<string, string> = {}) {
  return app.request(`${base}/${token}`, {
    method: "DELETE",
    headers: { Origin: origin, "Sineta-Client-Secret": clientSecret, ...headers },
  });
}

async function tokenOf(response: Response): Promise<string> {
  return registrationResponseSchema.parse(await response.clone().json()).token;
}

async function expectProblem(response: Response, code: HttpErrorCode) {
  const problem = problemSchema.parse(await response.clone().json());
  expect({ status: response.status, code: problem.code }).toEqual({
    status: httpErrors[code].status,
    code,
  });
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  expect(problem.status).toBe(response.status);
  return problem;
}

const live = () => store.registrations.countLive(project.id);

describe("registering", () => {
  test("a new browser: 201 and a token; the same again: 200 and the same token", async () => {
    const browser = testBrowser();
    const first = await post(browser, { more: { locale: "pt-BR", timeZone: "America/Recife" } });
    expect(first.status).toBe(201);
    const token = await tokenOf(first);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    nowMs = 2_000;
    const second = await post(browser, { more: { token } });
    expect(second.status).toBe(200);
    expect(await tokenOf(second)).toBe(token);
    expect(await live()).toBe(1);
  });

  test("a new subscription of a known browser: same token, next generation", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    const renewed = { ...browser, subscription: testSubscription() };
    const response = await post(renewed, { more: { token } });
    expect(response.status).toBe(200);
    expect(await tokenOf(response)).toBe(token);
    expect(await store.registrations.find(project.id, token)).toMatchObject({
      generation: 2,
      subscription: renewed.subscription.keys,
    });
    expect(await live()).toBe(1);
  });

  test("two tabs at once: one registration", async () => {
    const browser = testBrowser();
    const responses = await Promise.all([post(browser), post(browser), post(browser)]);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(new Set(await Promise.all(responses.map(tokenOf))).size).toBe(1);
    expect(await live()).toBe(1);
  });

  test("what is kept of the client secret is not the client secret", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    const found = await store.registrations.find(project.id, token);
    expect(String(Buffer.from(found?.clientSecretHash ?? []))).not.toContain(browser.clientSecret);
    expect(found?.clientSecretHash).toHaveLength(32);
  });
});

describe("a known endpoint is refused, and nothing is changed", () => {
  test.for<[string, (browser: TestBrowser) => TestBrowser]>([
    ["with a wrong secret", (browser) => testBrowser({ subscription: browser.subscription })],
    [
      "with another p256dh",
      ({ clientSecret, subscription }) => {
        const { p256dh } = testSubscription().keys;
        return {
          clientSecret,
          subscription: { ...subscription, keys: { ...subscription.keys, p256dh } },
        };
      },
    ],
    [
      "with another auth",
      ({ clientSecret, subscription }) => {
        const { auth } = testSubscription().keys;
        return {
          clientSecret,
          subscription: { ...subscription, keys: { ...subscription.keys, auth } },
        };
      },
    ],
  ])("%s", async ([, change]) => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    const before = await store.registrations.find(project.id, token);
    const response = await post(change(browser), { more: { token } });
    await expectProblem(response, "registration-refused");
    expect(await response.text()).not.toContain(token);
    expect(await store.registrations.find(project.id, token)).toEqual(before);
    expect(await live()).toBe(1);
  });
});

describe("bad input is a problem, and nothing is stored", () => {
  const fields = (over: object) => ({ ...testBrowser().subscription, ...over });
  const keys = testSubscription().keys;
  test.for<[string, HttpErrorCode, Changes]>([
    ["malformed JSON", "json-malformed", { body: '{"subscription":' }],
    ["no JSON at all", "json-malformed", { body: " " }],
    ["not an object", "body-invalid", { body: "[]" }],
    ["an empty object", "body-invalid", { body: {} }],
    [
      "a subscription without keys",
      "body-invalid",
      { more: { subscription: fields({ keys: {} }) } },
    ],
    ["a token that is none", "body-invalid", { more: { token: "abc" } }],
    ["a VAPID key that is none", "body-invalid", { more: { vapidKey: "abc" } }],
    ["too large", "body-too-large", { body: { pad: "x".repeat(17_000) } }],
    ["a form", "content-type-unsupported", { headers: { "Content-Type": "text/plain" } }],
    ["no content type", "content-type-unsupported", { headers: { "Content-Type": null } }],
    [
      "a p256dh off the curve",
      "subscription-key-invalid",
      {
        more: {
          subscription: fields({
            keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString("base64url") },
          }),
        },
      },
    ],
    [
      "a p256dh of the wrong length",
      "subscription-key-invalid",
      { more: { subscription: fields({ keys: { ...keys, p256dh: keys.p256dh.slice(4) } }) } },
    ],
    [
      "an auth of 15 bytes",
      "subscription-auth-invalid",
      {
        more: {
          subscription: fields({
            keys: { ...keys, auth: Buffer.alloc(15).toString("base64url") },
          }),
        },
      },
    ],
    ["an unknown VAPID key", "vapid-key-unknown", { more: { vapidKey: keys.p256dh } }],
    ["no secret", "client-secret-malformed", { headers: { "Sineta-Client-Secret": null } }],
    ["a short secret", "client-secret-malformed", { headers: { "Sineta-Client-Secret": "abc" } }],
    ["no Origin", "origin-missing", { headers: { Origin: null } }],
    ["a foreign Origin", "origin-not-allowed", { headers: { Origin: "https://evil.example" } }],
    ["a null Origin", "origin-not-allowed", { headers: { Origin: "null" } }],
    [
      "an Origin that only begins right",
      "origin-not-allowed",
      { headers: { Origin: `${origin}.evil.example` } },
    ],
  ])("%s: %s", async ([, code, changes]) => {
    const problem = await expectProblem(await post(testBrowser(), changes), code);
    expect(problem.fields !== undefined).toBe(code === "body-invalid");
    expect(await live()).toBe(0);
  });

  test.for([
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com:8443/fcm/send/x",
    "https://user@fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com.evil.example/fcm/send/x",
    "https://storage.googleapis.com/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "no address",
  ])("the endpoint %s is not allowed", async (endpoint) => {
    const subscription = { ...testSubscription(), endpoint };
    const response = await post(testBrowser({ subscription }));
    await expectProblem(response, "endpoint-not-allowed");
    expect(await response.text()).not.toContain(endpoint);
    expect(await live()).toBe(0);
  });

  test("a body that does not say its length is limited all the same", async () => {
    const chunk = new TextEncoder().encode(`{"pad":"${"x".repeat(4_000)}`);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > 1_000) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const request = new Request(`http://localhost${base}`, {
      method: "POST",
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": testBrowser().clientSecret,
      },
      body,
      duplex: "half",
    });
    await expectProblem(await app.request(request), "body-too-large");
    // A little is read on, so that the client gets to read the answer; then no more.
    expect(sent).toBeLessThan(300);
  });

  test("an unknown project", async () => {
    const address = "/v1/projects/other/registrations";
    const options = { method: "POST", headers: { Origin: origin }, body: "{}" };
    await expectProblem(await app.request(address, options), "project-unknown");
    await expectProblem(await app.request("/v1/projects/other/config"), "project-unknown");
    expect(await live()).toBe(0);
  });
});

describe("leaving", () => {
  test("with the right secret: 204, ended and scrubbed; once", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    const response = await remove(token, browser.clientSecret);
    expect(response.status).toBe(204);
    expect(await store.registrations.find(project.id, token)).toMatchObject({
      subscription: null,
      clientSecretHash: null,
      endReason: "left",
    });
    await expectProblem(await remove(token, browser.clientSecret), "registration-unknown");
    // Whoever comes back is new.
    const again = await post(browser, { more: { token } });
    expect(again.status).toBe(201);
    expect(await tokenOf(again)).not.toBe(token);
  });

  test("an unknown token and a wrong secret are answered alike", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    const wrong = await remove(token, testBrowser().clientSecret);
    const unknown = await remove(randomBytes(32).toString("base64url"), browser.clientSecret);
    const odd = await remove("x", browser.clientSecret);
    await expectProblem(wrong, "registration-unknown");
    expect(await unknown.text()).toBe(await wrong.clone().text());
    expect(await odd.text()).toBe(await wrong.text());
    expect([...unknown.headers]).toEqual([...wrong.headers]);
    expect(await live()).toBe(1);
  });

  test("not without secret, not from elsewhere", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    const address = `${base}/${token}`;
    const secret = { "Sineta-Client-Secret": browser.clientSecret };
    const ask = (headers: Record<string, string>) =>
      app.request(address, { method: "DELETE", headers });
    await expectProblem(await ask({ Origin: origin }), "client-secret-malformed");
    await expectProblem(await ask(secret), "origin-missing");
    await expectProblem(
      await ask({ ...secret, Origin: "https://evil.example" }),
      "origin-not-allowed",
    );
    expect(await live()).toBe(1);
  });
});

describe("cross-origin", () => {
  const preflight = (from: string) =>
    app.request(base, {
      method: "OPTIONS",
      headers: {
        Origin: from,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,sineta-client-secret",
      },
    });

  test("the project's pages may ask, with body and secret", async () => {
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(headers.get("Access-Control-Allow-Methods")).toContain("DELETE");
    expect(headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(",")).toEqual([
      "content-type",
      "sineta-client-secret",
    ]);
    expect(headers.get("Vary")).toContain("Origin");
  });

  test("nobody else may", async () => {
    const { headers } = await preflight("https://evil.example");
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(headers.get("Vary")).toContain("Origin");
  });

  test("answers and problems alike can be read by the project's pages only", async () => {
    const address = "/v1/projects/default/config";
    const own = await app.request(address, { headers: { Origin: origin } });
    expect(own.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(own.headers.get("Vary")).toContain("Origin");
    const foreign = await app.request(address, { headers: { Origin: "https://evil.example" } });
    expect(foreign.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(foreign.headers.get("Vary")).toContain("Origin");
    const problem = await post(testBrowser(), { body: "{" });
    expect(problem.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(problem.headers.get("Vary")).toContain("Origin");
  });
});

describe("everything else", () => {
  test("config gives the public key and the limits", async () => {
    const response = await app.request("/v1/projects/default/config");
    expect(await response.json()).toEqual({
      vapidKey: project.keys.current.publicKey,
      limits: { plaintextBytes: 3993 },
    });
  });

  test("health and readiness", async () => {
    expect((await app.request("/healthz")).status).toBe(200);
    expect((await app.request("/readyz")).status).toBe(200);
    await store.close();
    expect((await app.request("/healthz")).status).toBe(200);
    await expectProblem(await app.request("/readyz"), "not-ready");
  });

  test("the OpenAPI document describes every route of version 1", async () => {
    const document: unknown = await (await app.request("/v1/openapi.json")).json();
    const prefix = "/v1/projects/{project}";
    expect(document).toMatchObject({
      openapi: "3.1.0",
      components: {
        schemas: {
          Problem: expect.anything(),
          ProjectConfig: expect.anything(),
          RegistrationRequest: expect.anything(),
          RegistrationResponse: expect.anything(),
        },
      },
      paths: {
        [`${prefix}/config`]: { get: { responses: { 200: expect.anything() } } },
        [`${prefix}/registrations`]: {
          post: {
            parameters: expect.arrayContaining([
              expect.objectContaining({
                in: "header",
                name: "sineta-client-secret",
                required: true,
              }),
            ]),
            responses: { 201: expect.anything(), 409: expect.anything() },
          },
        },
        [`${prefix}/registrations/{token}`]: { delete: { responses: { 204: expect.anything() } } },
      },
    });
  });

  test("unknown addresses: a problem under /v1, plain text elsewhere", async () => {
    await expectProblem(await app.request("/v1/nothing"), "route-unknown");
    await expectProblem(await app.request("/v1"), "route-unknown");
    await expectProblem(
      await app.request("/v1/projects/default/config", { method: "PUT" }),
      "route-unknown",
    );
    const elsewhere = await app.request("/nothing");
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.headers.get("Content-Type")).toContain("text/plain");
  });

  test.for([
    "/../beside-the-site.txt",
    "/..%2fbeside-the-site.txt",
    "/%2e%2e/beside-the-site.txt",
    "/assets/..%2f..%2fbeside-the-site.txt",
    "/assets/..%5c..%5cbeside-the-site.txt",
    "//etc/passwd",
    "/%00",
    "/%E0%A4%A",
  ])("%s does not lead out of the site", async (path) => {
    const response = await app.request(`http://localhost${path}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("private");
  });

  test("security headers are on all answers", async () => {
    for (const path of ["/", "/sineta-sw.js", "/nothing", "/v1/nothing", "/healthz"]) {
      const { headers } = await app.request(path);
      expect(headers.get("Content-Security-Policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; " +
          "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.get("Strict-Transport-Security")).toBeNull();
    }
    app = makeApp({ httpsOnly: true });
    const { headers } = await app.request("/");
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
  });

  test("what fails inside is `internal`, told by a request id alone; the log has the cause", async () => {
    await store.close();
    const browser = testBrowser();
    const response = await post(browser);
    const { instance } = await expectProblem(response, "internal");
    expect(instance).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    const requestId = instance?.slice("urn:uuid:".length);
    const line = logged.map((text) => JSON.parse(text)).find((entry) => entry.requestId);
    expect(line).toMatchObject({ requestId, level: 50, err: { stack: expect.any(String) } });
    expect(await response.text()).not.toContain(line.err.message);
  });

  test("the log holds nothing that belongs to a browser", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await post(browser));
    await store.close();
    await post(browser, { more: { token } });
    await remove(token, browser.clientSecret);
    const text = logged.join("");
    expect(text).toContain("request failed");
    const { endpoint, keys } = browser.subscription;
    for (const secret of [token, browser.clientSecret, endpoint, keys.auth, keys.p256dh]) {
      expect(text).not.toContain(secret);
    }
  });
});
