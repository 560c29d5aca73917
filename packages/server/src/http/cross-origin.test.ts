import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { askFrom } from "../test/ask-from.ts";
import {
  appBench,
  expectProblem,
  origin,
  registrationsPath,
  tokenOf,
  type AppBench,
} from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";
import { listen } from "./listen.ts";

const project = "/v1/projects/default";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const preflight = (path: string, from: string, method = "POST") =>
  bench.app.request(path, {
    method: "OPTIONS",
    headers: { Origin: from, "Access-Control-Request-Method": method },
  });
const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

describe.for([
  ["null", "null"],
  ["nothing", ""],
  ["everything", "*"],
  ["another scheme", "http://site.example"],
  ["upper case", "https://SITE.example"],
  ["the default port", "https://site.example:443"],
  ["another port", "https://site.example:8443"],
  ["a path", "https://site.example/"],
  ["user info", "https://site.example@evil.example"],
  ["user info of its own", "https://reader@site.example"],
  ["a trailing dot", "https://site.example."],
  ["a longer host", "https://site.example.evil.example"],
  ["a subdomain", "https://a.site.example"],
  ["the origin twice", "https://site.example, https://site.example"],
  ["a list (RFC 6454, section 7.1)", "https://site.example https://evil.example"],
  ["a fragment", "https://evil.example#https://site.example"],
  ["15 kB", `https://${"a".repeat(15_000)}.example`],
] as const)("an Origin with %s", ([, from]) => {
  test("is none of the project's: nothing is stored, and no page may read the answer", async () => {
    const posted = await bench.post(testBrowser(), { headers: { Origin: from } });
    await expectProblem(posted, "origin-not-allowed");
    expect(await bench.live()).toBe(0);
    const config = await bench.app.request(`${project}/config`, { headers: { Origin: from } });
    expect(config.status).toBe(200);
    for (const answer of [posted, config, await preflight(registrationsPath, from)]) {
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(answer.headers.get("Vary")).toContain("Origin");
    }
  });
});

test("two Origin headers are none of the project's, on a socket too", async () => {
  const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
  onTestFinished(() => listener.close(0));
  listener.serve((request, bindings) => bench.app.fetch(request, bindings));
  const { clientSecret, subscription } = testBrowser();
  const url = new URL(registrationsPath, `http://127.0.0.1:${listener.port}`);
  const vapidKey = bench.project.keys.current.publicKey;
  const ask = (origins: string[]) =>
    askFrom("127.0.0.1", url, {
      headers: {
        Origin: origins,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": clientSecret,
      },
      body: JSON.stringify({ subscription, vapidKey }),
    });
  for (const origins of [
    [origin, origin],
    [origin, "https://evil.example"],
    ["https://evil.example", origin],
  ]) {
    const { status, headers } = await ask(origins);
    expect(status).toBe(403);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  }
  expect(await bench.live()).toBe(0);
  expect((await ask([origin])).status).toBe(201);
});

describe("a preflight", () => {
  test.for(["PATCH", "PROPFIND", "TRACE", "", "*"])(
    "for %s is told which methods there are",
    async (method) => {
      const { headers } = await preflight(registrationsPath, origin, method);
      expect(headers.get("Access-Control-Allow-Methods")).toBe("GET,POST,PUT,DELETE");
      expect(headers.get("Access-Control-Max-Age")).toBe("7200");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    },
  );

  test.for([
    `${project}/messages`,
    `${project}/api-keys`,
    `${project}/settings`,
    `${project}/audit`,
    `${project}/nothing`,
    "/v1/session",
    "/v1/invitations/accept",
    "/v1/openapi.json",
    "/v1/projects/other/registrations",
    "/healthz",
  ])("for %s opens nothing", async (path) => {
    expect(corsHeaders(await preflight(path, origin))).toEqual([]);
    const asked = await bench.app.request(path, { headers: { Origin: origin } });
    expect(corsHeaders(asked)).toEqual([]);
  });
});

test("public routes set no cookie and read none", async () => {
  const owner = await bench.operator("owner");
  const foreign = { Cookie: owner.cookie, "Sec-Fetch-Site": "cross-site" };
  const registered = await bench.post(testBrowser(), { headers: foreign });
  const token = await tokenOf(registered);
  const answers = [
    registered,
    await bench.app.request(`${project}/config`, { headers: { Origin: origin, ...foreign } }),
    await bench.app.request(`${registrationsPath}/${token}`, {
      method: "DELETE",
      headers: {
        Origin: origin,
        "Sineta-Client-Secret": testBrowser().clientSecret,
        Cookie: owner.cookie,
      },
    }),
    await bench.app.request("/v1/openapi.json", { headers: foreign }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 404, 200]);
  for (const { headers } of answers) {
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
  }
});

test("what operators look up and remove is for no page of the site's", async () => {
  const token = await tokenOf(await bench.post(testBrowser()));
  const { headers } = await bench.operator("owner");
  for (const [method, path] of [
    ["GET", registrationsPath],
    ["GET", `${registrationsPath}/${token}`],
    ["POST", `${registrationsPath}/${token}/remove`],
  ] as const) {
    const answer = await bench.app.request(path, { method, headers });
    expect(answer.ok).toBe(true);
    expect(corsHeaders(answer)).toEqual([]);
  }
  const asked = await preflight(`${registrationsPath}/${token}/remove`, origin);
  expect(corsHeaders(asked)).toEqual([]);
});
