import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appBench, expectProblem, origin, testAsker, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const id = "0199c0de-0000-7000-8000-000000000001";
const routes: readonly [path: string, body?: object][] = [
  ["messages", { target: { kind: "all" }, notification: { title: "Olá" } }],
  ["messages"],
  [`messages/${id}`],
  [`messages/${id}/cancel`, {}],
  [`messages/${id}/events`],
  ["topics"],
  ["topics/ofertas/join", { tokens: ["a"] }],
  ["topics/ofertas/leave", { tokens: ["a"] }],
];

describe.for(routes)("%s (with the body %j) lets in", ([path, body]) => {
  test("nobody without a key", async () => {
    const response = await bench.ask(path, null, body);
    await expectProblem(response, "api-key-missing");
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  test("nobody with a wrong one", async () => {
    const response = await bench.ask(path, "sineta_wrong", body);
    await expectProblem(response, "api-key-invalid");
    expect(response.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  test("nobody with another project's, or a revoked one", async () => {
    const others = await bench.ask(path, await bench.otherKey(), body);
    expect((await expectProblem(others, "api-key-invalid")).status).toBe(401);
    const key = await bench.key();
    await bench.apiKeys.revoke(
      bench.project.id,
      key.slice(0, 15),
      { cancelMessages: false },
      testAsker,
    );
    await expectProblem(await bench.ask(path, key, body), "api-key-invalid");
  });

  test("whoever holds it: without an Origin, setting no cookie, kept by nobody", async () => {
    const { status, headers } = await bench.ask(path, await bench.key(), body);
    expect([200, 202, 404]).toContain(status);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Set-Cookie")).toBeNull();
    expect(headers.get("WWW-Authenticate")).toBeNull();
  });

  test("no page: nothing allows another origin", async () => {
    const preflight = await bench.app.request(`/v1/projects/default/${path}`, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": body === undefined ? "GET" : "POST",
        "Access-Control-Request-Headers": "authorization",
      },
    });
    const asked = await bench.ask(path, await bench.key(), body, { Origin: origin });
    for (const { headers } of [preflight, asked]) {
      for (const name of ["Origin", "Headers", "Methods", "Credentials"]) {
        expect(headers.get(`Access-Control-Allow-${name}`)).toBeNull();
      }
    }
  });
});

describe("the Authorization header", () => {
  test.for(["bearer KEY", "BEARER  KEY"])("%s holds a key", async (form) => {
    const headers = { Authorization: form.replace("KEY", await bench.key()) };
    expect((await bench.ask("topics", null, undefined, headers)).status).toBe(200);
  });

  test.for(["", "Bearer", "Bearer ", "Basic KEY", "KEY", "Bearer KEY KEY"])(
    "%o holds none",
    async (form) => {
      const headers = { Authorization: form.replaceAll("KEY", await bench.key()) };
      const response = await bench.ask("topics", null, undefined, headers);
      expect((await expectProblem(response, "api-key-missing")).status).toBe(401);
    },
  );

  test("a long one is a wrong key like any other", async () => {
    const response = await bench.ask("topics", "x".repeat(10_000));
    expect((await expectProblem(response, "api-key-invalid")).status).toBe(401);
  });

  test("an unknown project comes first", async () => {
    const response = await bench.app.request("/v1/projects/nobody/topics");
    expect((await expectProblem(response, "project-unknown")).status).toBe(404);
  });
});

test("no key appears in the log, whatever fails", async () => {
  const key = await bench.key();
  await bench.ask("topics", "sineta_a-wrong-key");
  await bench.store.close();
  for (const [path, body] of routes) {
    await expectProblem(await bench.ask(path, key, body), "internal");
  }
  const text = bench.logged.join("");
  expect(text).toContain("request failed");
  expect(text).not.toContain(key);
  expect(text).not.toContain(key.slice(-20));
  expect(text).not.toContain("sineta_a-wrong-key");
});
