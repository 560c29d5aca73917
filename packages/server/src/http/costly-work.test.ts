import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { appBench, expectProblem, type AppBench } from "../test/app-bench.ts";

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
  const { dryRun: look } = bench.messages;
  const spy = vi.spyOn(bench.messages, "dryRun").mockImplementation(async (...given) => {
    await promise;
    return look(...given);
  });
  const asked = Array.from({ length: 10 }, () => dryRun(mine));
  await vi.waitUntil(() => spy.mock.calls.length === 2);
  const refused = await dryRun(mine);
  await expectProblem(refused, "too-many-at-once");
  expect(refused.headers.get("Retry-After")).toBe("1");
  asked.push(dryRun(others));
  await vi.waitUntil(() => spy.mock.calls.length === 3);
  resolve();
  for (const each of asked) expect((await each).status).toBe(200);
  expect((await dryRun(mine)).status).toBe(200);
});
