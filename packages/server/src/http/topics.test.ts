import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clientSecretHeader } from "@sineta/protocol";
import {
  appBench,
  expectProblem,
  origin,
  registrationsPath,
  tokenOf,
  type AppBench,
} from "../test/app-bench.ts";
import { testBrowser, type TestBrowser } from "../test/browser.ts";

let bench: AppBench;
let browser: TestBrowser;
let token: string;
beforeEach(async () => {
  bench = await appBench();
  for (const name of ["bread", "cake"]) await addTopic(name, "open");
  await addTopic("staff", "kept");
  browser = testBrowser();
  token = await tokenOf(await bench.post(browser));
});
afterEach(() => bench.close());

const addTopic = (name: string, policy: "open" | "kept") =>
  bench.store.topics.add(bench.project.id, { name, policy }, 1);
const topicsOf = async () => (await bench.membership(token)).topics;

const ask = (method: "PUT" | "DELETE", name: string, secret = browser.clientSecret) =>
  bench.topic(method, [token, name], { [clientSecretHeader]: secret });

describe("joining and leaving", () => {
  test("an open topic: 204, as often as one likes", async () => {
    for (const name of ["bread", "bread", "cake"]) {
      const response = await ask("PUT", name);
      expect([response.status, await response.text()]).toEqual([204, ""]);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    }
    expect(await topicsOf()).toEqual(["bread", "cake"]);
    for (const name of ["bread", "bread"]) {
      expect((await ask("DELETE", name)).status).toBe(204);
    }
    expect(await topicsOf()).toEqual(["cake"]);
  });

  test("a kept topic: nobody joins it alone, everybody may leave it", async () => {
    await expectProblem(await ask("PUT", "staff"), "topic-kept");
    expect(await topicsOf()).toEqual([]);
    // Who was in it when the operator closed it stays, and may say so again.
    await ask("PUT", "bread");
    await bench.store.topics.edit(bench.project.id, "bread", { policy: "kept" });
    expect((await ask("PUT", "bread")).status).toBe(204);
    expect(await topicsOf()).toEqual(["bread"]);
    expect((await ask("DELETE", "bread")).status).toBe(204);
    await expectProblem(await ask("PUT", "bread"), "topic-kept");
    expect((await ask("DELETE", "staff")).status).toBe(204);
    expect(await topicsOf()).toEqual([]);
  });

  test.for(["tea", "Bread", "bread%20", "%C3%A7", "x".repeat(65)])(
    "the topic %s that there is not",
    async (name) => {
      await expectProblem(await ask("PUT", name), "topic-unknown");
      await expectProblem(await ask("DELETE", name), "topic-unknown");
      expect(await topicsOf()).toEqual([]);
    },
  );

  test("an unknown token, one that left and a wrong secret are answered alike, whatever the topic", async () => {
    const wrong = await ask("PUT", "bread", testBrowser().clientSecret);
    await expectProblem(wrong, "registration-unknown");
    const secret = { [clientSecretHeader]: browser.clientSecret };
    const unknown = randomBytes(32).toString("base64url");
    const others = [
      await ask("DELETE", "bread", testBrowser().clientSecret),
      await ask("PUT", "tea", testBrowser().clientSecret),
      await ask("PUT", "staff", testBrowser().clientSecret),
      await bench.topic("PUT", [unknown, "bread"], secret),
      await bench.topic("DELETE", [unknown, "bread"], secret),
    ];
    await bench.remove(token, browser.clientSecret);
    others.push(await ask("PUT", "bread"), await ask("DELETE", "bread"));
    for (const other of others) {
      expect(await other.text()).toBe(await wrong.clone().text());
      expect([...other.headers]).toEqual([...wrong.headers]);
    }
  });

  test("not without secret, not from elsewhere, not for another project", async () => {
    const path = `${registrationsPath}/${token}/topics/bread`;
    const secret = { [clientSecretHeader]: browser.clientSecret };
    for (const method of ["PUT", "DELETE"]) {
      const send = (headers: Record<string, string>, at = path) =>
        bench.app.request(at, { method, headers });
      await expectProblem(await send({ Origin: origin }), "client-secret-malformed");
      await expectProblem(await send(secret), "origin-missing");
      const elsewhere = { ...secret, Origin: "https://evil.example" };
      await expectProblem(await send(elsewhere), "origin-not-allowed");
      const project = path.replace("default", "other");
      await expectProblem(await send({ ...secret, Origin: origin }, project), "project-unknown");
    }
    expect(await topicsOf()).toEqual([]);
  });

  test("a page of the project may ask from another origin: the preflight allows both methods", async () => {
    for (const method of ["PUT", "DELETE"]) {
      const { headers } = await bench.app.request(`${registrationsPath}/${token}/topics/bread`, {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": method,
          "Access-Control-Request-Headers": clientSecretHeader,
        },
      });
      expect(headers.get("Access-Control-Allow-Origin")).toBe(origin);
      expect(headers.get("Access-Control-Allow-Methods")?.split(",")).toContain(method);
    }
  });

  test("the OpenAPI document has both", async () => {
    const document: unknown = await (await bench.app.request("/v1/openapi.json")).json();
    const answers = { 204: expect.anything(), 404: expect.anything() };
    expect(document).toMatchObject({
      paths: {
        "/v1/projects/{project}/registrations/{token}/topics/{topic}": {
          put: { responses: { ...answers, 403: expect.anything() } },
          delete: { responses: answers },
        },
      },
    });
  });
});

describe("topics in a registration", () => {
  const again = (topics: string[]) => bench.post(browser, { more: { token, topics } });

  test("are joined, and what is joined stays", async () => {
    expect((await again(["bread"])).status).toBe(200);
    expect((await again(["bread", "cake"])).status).toBe(200);
    expect((await again([])).status).toBe(200);
    expect((await bench.post(browser, { more: { token } })).status).toBe(200);
    expect(await topicsOf()).toEqual(["bread", "cake"]);
    const fresh = await bench.post(testBrowser(), { more: { topics: ["cake"] } });
    expect(fresh.status).toBe(201);
    expect(await bench.membership(await tokenOf(fresh))).toEqual({
      userId: null,
      topics: ["cake"],
    });
  });

  test("that it is in come back with it after leaving only if it joins them anew", async () => {
    await again(["bread"]);
    await bench.remove(token, browser.clientSecret);
    const back = await tokenOf(await bench.post(browser, { more: { token } }));
    expect(back).not.toBe(token);
    expect(await bench.membership(back)).toEqual({ userId: null, topics: [] });
  });

  test.for([
    [["bread", "tea"], "topic-unknown"],
    [["bread", "staff"], "topic-kept"],
  ] as const)("%j is refused, and nothing is changed", async ([topics, code]) => {
    const before = await bench.find(token);
    await expectProblem(await again([...topics]), code);
    await expectProblem(await bench.post(testBrowser(), { more: { topics } }), code);
    expect(await topicsOf()).toEqual([]);
    expect(await bench.find(token)).toEqual(before);
    expect(await bench.live()).toBe(1);
  });

  test.for([[["a b"]], ["bread"], [Array.from({ length: 101 }, () => "bread")]])(
    "%j is no list of topics",
    async ([topics]) => {
      await expectProblem(await bench.post(browser, { more: { token, topics } }), "body-invalid");
      expect(await topicsOf()).toEqual([]);
    },
  );
});
