import { afterEach, beforeEach, expect, test } from "vitest";
import { dryRunSchema, messageStatusSchema, publishedSchema } from "@sineta/protocol";
import { dryRunsPerMinute } from "../access/quotas/per-minute.ts";
import { appBench, expectProblem, tokenOf, type AppBench } from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";

let bench: AppBench;
let sends: string;
let reads: string;
beforeEach(async () => {
  bench = await appBench();
  sends = await bench.key(undefined, ["send"]);
  reads = await bench.key(undefined, ["send", "read"]);
});
afterEach(() => bench.close());

const message = { target: { kind: "all" }, notification: { title: "secret" } };
const dryRun = (key: string, target: object = message.target) =>
  bench.ask("messages", key, { ...message, target, dryRun: true });

test("a key that may send and not read learns of a cancelled message that it is cancelled, and nothing else", async () => {
  const publish = async () =>
    publishedSchema.parse(await (await bench.ask("messages", reads, message)).json()).id;
  const id = await publish();
  const brief = await bench.ask(`messages/${id}/cancel`, sends, "");
  expect(brief.status).toBe(200);
  expect(await brief.json()).toEqual({ id, state: "cancelled" });
  const whole = await bench.ask(`messages/${await publish()}/cancel`, reads, "");
  expect(messageStatusSchema.parse(await whole.json())).toMatchObject({
    notification: { title: "secret" },
  });
});

test("a dry run tells it of no token that nobody has", async () => {
  const token = await tokenOf(await bench.post(testBrowser()));
  const target = { kind: "tokens", tokens: [token, "A".repeat(43)] };
  const answered = async (key: string) =>
    dryRunSchema.parse(await (await dryRun(key, target)).json());
  expect(await answered(reads)).toMatchObject({
    registrations: 1,
    unknown: { count: 1, tokens: ["A".repeat(43)] },
  });
  expect(await answered(sends)).not.toHaveProperty("unknown");
});

test("dry runs are counted by key, and end in a pause that is told; publishing goes on", async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < dryRunsPerMinute; count += 1) {
    statuses.add((await dryRun(sends)).status);
  }
  expect([...statuses]).toEqual([200]);
  const refused = await dryRun(sends);
  await expectProblem(refused, "dry-run-limit-reached");
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect((await dryRun(reads)).status).toBe(200);
  expect((await bench.ask("messages", sends, message)).status).toBe(202);
});
