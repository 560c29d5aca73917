import { afterEach, expect, test, vi } from "vitest";
import { siteCheckSchema } from "@sineta/protocol";
import { appBench, expectProblem, origin, type AppBench } from "../test/app-bench.ts";
import { patience } from "../test/patience.ts";

let bench: AppBench | undefined;
afterEach(() => bench?.close());

async function start(until: Promise<void> = Promise.resolve()) {
  const looked: { url: string; vapidKeys: readonly string[] }[] = [];
  const own = await appBench({
    checkSite: async (url, { vapidKeys }) => {
      looked.push({ url: url.href, vapidKeys });
      await until;
      return {
        url: url.href,
        findings: [{ code: "https", state: "ok", reason: "found", seen: url.origin }],
      };
    },
  });
  bench = own;
  const { headers } = await own.operator("editor");
  const check = (body: unknown) =>
    own.app.request("/v1/projects/default/site-checks", {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  return { bench: own, looked, check };
}

test("a page of the project's is looked at, with the project's keys", async () => {
  const { bench: own, looked, check } = await start();
  const response = await check({ url: `${origin}/loja?a=1` });
  expect(response.status).toBe(200);
  expect(siteCheckSchema.parse(await response.json()).findings).toHaveLength(1);
  const vapidKeys = [own.project.keys.current.publicKey];
  expect(looked).toEqual([{ url: `${origin}/loja?a=1`, vapidKeys }]);
});

test("nobody else's is", async () => {
  const { looked, check } = await start();
  for (const url of [
    "https://site.example.evil.example/",
    "https://evil.example/",
    "http://site.example/",
    "https://site.example:8443/",
    "https://site.example@evil.example/",
  ]) {
    await expectProblem(await check({ url }), "origin-not-allowed");
  }
  for (const body of [{ url: "file:///etc/passwd" }, { url: "/loja" }, { url: 3 }, {}, []]) {
    await expectProblem(await check(body), "body-invalid");
  }
  expect(looked).toEqual([]);
});

test("ten a minute, and no more", async () => {
  const { looked, check } = await start();
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await check({ url: origin })).status).toBe(200);
  }
  await expectProblem(await check({ url: origin }), "too-many-requests");
  expect(looked).toHaveLength(10);
});

test("one caller's checks come one after the other, and few wait", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { looked, check } = await start(promise);
  const checks = Array.from({ length: 5 }, () => check({ url: origin }));
  await vi.waitUntil(() => looked.length === 1, patience);
  const refused = await check({ url: origin });
  await expectProblem(refused, "too-many-at-once");
  expect(refused.headers.get("Retry-After")).toBe("1");
  expect(looked).toHaveLength(1);
  resolve();
  for (const each of checks) expect((await each).status).toBe(200);
  expect((await check({ url: origin })).status).toBe(200);
});
