import { z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  appBench,
  expectProblem,
  origin,
  registrationsPath,
  tokenOf,
  type AppBench,
} from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

const openApiSchema = z.object({
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

describe("cross-origin", () => {
  const preflight = (from: string) =>
    bench.app.request(registrationsPath, {
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
    const own = await bench.app.request(address, { headers: { Origin: origin } });
    expect(own.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(own.headers.get("Vary")).toContain("Origin");
    const foreign = await bench.app.request(address, {
      headers: { Origin: "https://evil.example" },
    });
    expect(foreign.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(foreign.headers.get("Vary")).toContain("Origin");
    const problem = await bench.post(testBrowser(), { body: "{" });
    expect(problem.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(problem.headers.get("Vary")).toContain("Origin");
  });
});

describe("the log tells of a refused origin", () => {
  const project = "/v1/projects/default";
  const ask = (from: string, method = "OPTIONS") =>
    bench.app.request(`${project}/registrations`, { method, headers: { Origin: from } });
  const warnings = () =>
    bench.logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);

  test("once, with the remedy, whichever request it was", async () => {
    const page = "http://localhost:5173";
    await ask(page);
    await ask(page);
    await expectProblem(await ask(page, "POST"), "origin-not-allowed");
    await bench.app.request(`${project}/config`, { headers: { Origin: page } });
    expect(warnings()).toEqual([
      expect.objectContaining({
        origin: page,
        msg: expect.stringMatching(/refused.*sineta settings origins.*or set SINETA_ORIGINS/),
      }),
    ]);
    await ask("http://localhost:5174", "DELETE");
    expect(warnings()).toHaveLength(2);
  });

  test("and not of the project's own, nor of requests without one", async () => {
    await ask(origin);
    await bench.post(testBrowser());
    await bench.app.request(`${project}/config`);
    await expectProblem(
      await bench.post(testBrowser(), { headers: { Origin: null } }),
      "origin-missing",
    );
    expect(warnings()).toEqual([]);
  });

  test("of a hundred at most, so that nobody can fill it", async () => {
    for (let port = 1; port <= 150; port += 1) await ask(`https://evil.example:${port}`);
    await ask("https://evil.example:1");
    expect(warnings()).toHaveLength(100);
    expect(new Set(warnings().map((line) => line.origin)).size).toBe(100);
  });

  test("cut short and without what steers a terminal", async () => {
    await ask(`https://\u{9b}2J.example/${"x".repeat(10_000)}`);
    const [line] = warnings();
    expect(line.origin).toMatch(/^https:\/\/\?2J\.example\/x+$/);
    expect(line.origin).toHaveLength(300);
  });
});

describe("everything else", () => {
  test("config gives the public key and the limits", async () => {
    const response = await bench.app.request("/v1/projects/default/config");
    expect(await response.json()).toEqual({
      vapidKey: bench.project.keys.current.publicKey,
      limits: { plaintextBytes: 3993 },
    });
  });

  test("health and readiness", async () => {
    expect((await bench.app.request("/healthz")).status).toBe(200);
    expect((await bench.app.request("/readyz")).status).toBe(200);
    await bench.store.close();
    expect((await bench.app.request("/healthz")).status).toBe(200);
    await expectProblem(await bench.app.request("/readyz"), "not-ready");
  });

  test("that it is not ready is logged once, until it is ready again", async () => {
    const failures = () => bench.logged.filter((line) => line.includes("not ready")).length;
    const check = vi.spyOn(bench.store, "check");
    for (const expected of [1, 2]) {
      check.mockRejectedValue(new Error("disk full"));
      await expectProblem(await bench.app.request("/readyz"), "not-ready");
      await expectProblem(await bench.app.request("/readyz"), "not-ready");
      expect(failures()).toBe(expected);
      check.mockResolvedValue();
      expect((await bench.app.request("/readyz")).status).toBe(200);
    }
  });

  test("the OpenAPI document describes every route of version 1", async () => {
    const document: unknown = await (await bench.app.request("/v1/openapi.json")).json();
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

  test("the OpenAPI document tells how to show who asks, and that data is a JSON object", async () => {
    const response = await bench.app.request("/v1/openapi.json");
    const { components } = openApiSchema.parse(await response.json());
    expect(components.securitySchemes).toMatchObject({
      apiKey: { type: "http", scheme: "bearer" },
      session: { type: "apiKey", in: "cookie", name: "sineta-session" },
    });
    expect(components.schemas["MessageRequest"]).toMatchObject({
      properties: { data: { type: "object" } },
    });
  });

  test("unknown addresses: a problem under /v1, plain text elsewhere", async () => {
    await expectProblem(await bench.app.request("/v1/nothing"), "route-unknown");
    await expectProblem(await bench.app.request("/v1"), "route-unknown");
    await expectProblem(
      await bench.app.request("/v1/projects/default/config", { method: "PUT" }),
      "route-unknown",
    );
    const elsewhere = await bench.app.request("/nothing");
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
    const response = await bench.app.request(`http://localhost${path}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("private");
  });

  test.for([
    [400, "json-malformed"],
    [403, "body-invalid"],
    [404, "route-unknown"],
    [413, "body-too-large"],
    [415, "content-type-unsupported"],
    [500, "internal"],
  ] as const)("what the framework refuses with %i is %s", async ([status, code]) => {
    bench.app.get("/refused", () => {
      throw new HTTPException(status);
    });
    await expectProblem(await bench.app.request("/refused"), code);
    expect(bench.logged.join("").includes("request failed")).toBe(code === "internal");
  });

  test("security headers are on all answers", async () => {
    for (const path of ["/", "/sineta-sw.js", "/nothing", "/v1/nothing", "/healthz"]) {
      const { headers } = await bench.app.request(path);
      expect(headers.get("Content-Security-Policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: data:; " +
          "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; " +
          "form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.get("Strict-Transport-Security")).toBeNull();
      expect(headers.get("X-Frame-Options")).toBe("DENY");
      const policy = headers.get("Permissions-Policy")?.split(", ") ?? [];
      for (const feature of ["camera=()", "geolocation=()", "publickey-credentials-get=(self)"]) {
        expect(policy).toContain(feature);
      }
    }
    const httpsOnly = await appBench({ httpsOnly: true });
    const { headers } = await httpsOnly.app.request("/");
    expect(headers.get("Strict-Transport-Security")).toBe("max-age=31536000");
    await httpsOnly.close();
  });

  test("what fails inside is `internal`, told by a request id alone; the log has the cause", async () => {
    await bench.store.close();
    const browser = testBrowser();
    const response = await bench.post(browser);
    const { instance } = await expectProblem(response, "internal");
    expect(instance).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    const requestId = instance?.slice("urn:uuid:".length);
    const line = bench.logged.map((text) => JSON.parse(text)).find((entry) => entry.requestId);
    expect(line).toMatchObject({ requestId, level: 50, err: { stack: expect.any(String) } });
    expect(await response.text()).not.toContain(line.err.message);
  });

  test("the log holds nothing that belongs to a browser", async () => {
    const browser = testBrowser();
    const token = await tokenOf(await bench.post(browser));
    await bench.store.close();
    await bench.post(browser, { more: { token } });
    await bench.remove(token, browser.clientSecret);
    const text = bench.logged.join("");
    expect(text).toContain("request failed");
    const { endpoint, keys } = browser.subscription;
    for (const secret of [token, browser.clientSecret, endpoint, keys.auth, keys.p256dh]) {
      expect(text).not.toContain(secret);
    }
  });
});
