import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { exportsPerMinute } from "../access/quotas/per-minute.ts";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";
import { patience } from "../test/patience.ts";

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

const path = "/v1/projects/default";
type Headers = Record<string, string>;

const dryRun = (headers: Headers) =>
  bench.app.request(`${path}/messages`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({
      target: { kind: "all" },
      notification: { title: "Olá" },
      dryRun: true,
    }),
  });

test("one operator has few dry runs at once, and leaves room to others", async () => {
  const [{ headers: mine }, { headers: others }] = [
    await bench.operator("editor"),
    await bench.operator("editor"),
  ];
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = bench.messages.dryRun.bind(bench.messages);
  const spy = vi.spyOn(bench.messages, "dryRun").mockImplementation(async (...given) => {
    await promise;
    return look(...given);
  });
  const asked = Array.from({ length: 10 }, () => dryRun(mine));
  await vi.waitUntil(() => spy.mock.calls.length === 2, patience);
  const refused = await dryRun(mine);
  await expectProblem(refused, "too-many-at-once");
  expect(refused.headers.get("Retry-After")).toBe("1");
  asked.push(dryRun(others));
  await vi.waitUntil(() => spy.mock.calls.length === 3, patience);
  resolve();
  for (const each of asked) expect((await each).status).toBe(200);
  expect((await dryRun(mine)).status).toBe(200);
});

test("one caller's lists come two at once, others' before the rest", async () => {
  const [{ headers: mine }, { headers: others }] = [
    await bench.operator("viewer"),
    await bench.operator("viewer"),
  ];
  const { promise, resolve } = Promise.withResolvers<void>();
  const list = bench.store.audience.list.bind(bench.store.audience);
  const spy = vi.spyOn(bench.store.audience, "list").mockImplementation(async (...given) => {
    await promise;
    return list(...given);
  });
  const look = (headers: Headers) => bench.app.request(`${path}/registrations`, { headers });
  const asked = Array.from({ length: 22 }, () => look(mine));
  await vi.waitUntil(() => spy.mock.calls.length === 2, patience);
  await expectProblem(await look(mine), "too-many-at-once");
  asked.push(look(others));
  resolve();
  for (const each of asked) expect((await each).status).toBe(200);
});

describe("exports", () => {
  const take = (headers: Headers, method = "GET") =>
    bench.app.request(`${path}/messages/export?search=none`, { method, headers });
  const lines = async () =>
    (await bench.store.audit.list([bench.project.id], { limit: 500 })).length;

  test("are so many a minute for each caller, and leave no more lines than that", async () => {
    const { headers } = await bench.operator("viewer");
    const { headers: others } = await bench.operator("viewer");
    const before = await lines();
    expect((await take(headers, "HEAD")).status).toBe(200);
    for (let count = 0; count < exportsPerMinute; count += 1) {
      expect((await (await take(headers)).text()).length).toBeGreaterThan(0);
    }
    const refused = await take(headers);
    await expectProblem(refused, "export-limit-reached");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await lines()).toBe(before + exportsPerMinute);
    expect((await take(others)).status).toBe(200);
  });

  test("count no longer once they have failed", async () => {
    const { headers } = await bench.operator("viewer");
    const unknown = () => bench.app.request(`${path}/messages/none/export`, { headers });
    for (let count = 0; count < 3; count += 1) {
      await expectProblem(await unknown(), "message-not-found");
    }
    vi.spyOn(bench.store.audit, "append").mockRejectedValue(new Error("the disk is full"));
    for (let count = 0; count < 3; count += 1) {
      expect((await take(headers)).status).toBe(500);
    }
    vi.restoreAllMocks();
    expect((await take(headers)).status).toBe(200);
  });

  test("count until their end was taken, or nobody takes it any more", async () => {
    const { headers } = await bench.operator("viewer");
    vi.spyOn(bench.messages, "exportList").mockImplementation(async function* () {
      for (;;) yield "line\n";
    });
    const [first, second] = [await take(headers), await take(headers)];
    const refused = await take(headers);
    await expectProblem(refused, "too-many-at-once");
    expect(refused.headers.get("Retry-After")).toBe("10");
    await first.body?.cancel();
    await vi.waitFor(async () => expect((await take(headers)).status).toBe(200));
    await second.body?.cancel();
  });
});
