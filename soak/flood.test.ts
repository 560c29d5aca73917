import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startServer, type SinetaServer } from "../e2e/support/server.ts";
import { testBrowser } from "../packages/server/src/test/browser.ts";
import { siteClient } from "../packages/server/src/test/http-client.ts";
import { startScript, type TestProcess } from "../packages/server/src/test/process.ts";
import { isSoak, scaled } from "./support/scale.ts";

const perMinute = 60;
const flooded = scaled(2_000, 20_000);
/** As many as one address may have. */
const connections = 256;
/** How often another visitor registers. In the long form as often as its own limit lets it, for all of the flood. */
const paceMs = scaled(100, 1_050);
const calmRegistrations = scaled(10, 50);
const mostBeside = scaled(perMinute, Infinity);

const reportSchema = z.object({
  statuses: z.record(z.string(), z.number()),
  milliseconds: z.number(),
});

let server: SinetaServer;
const processes: TestProcess[] = [];
beforeAll(async () => {
  server = await startServer({
    SINETA_REGISTRATIONS_PER_MINUTE: String(perMinute),
    SINETA_LOG_LEVEL: "warn",
  });
});
afterAll(async () => {
  for (const { kill } of processes) kill("SIGKILL");
  await server.stop();
});

/** Registers one browser after the other from this address, at a steady pace; the milliseconds that each took. */
async function registerSteadily(
  localAddress: string,
  goesOn: (done: number) => boolean,
): Promise<{ status: number; milliseconds: number }[]> {
  const client = await siteClient(server.url);
  const url = new URL(`${client.project}/registrations`);
  url.hostname = "127.0.0.1";
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: { status: number; milliseconds: number }[] = [];
  while (goesOn(took.length)) {
    const { headers, body } = client.request(testBrowser());
    const startMs = performance.now();
    const asked = request(url, { method: "POST", agent, localAddress, headers });
    asked.end(body);
    const [answer]: IncomingMessage[] = await once(asked, "response");
    await answer?.toArray();
    took.push({
      status: answer?.statusCode ?? 0,
      milliseconds: performance.now() - startMs,
    });
    await delay(paceMs);
  }
  agent.destroy();
  return took;
}

function quantile(took: readonly { milliseconds: number }[], part: number): number {
  const sorted = took.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}

test("a flood from one address is refused but for its minute's share, and others hardly feel it", async () => {
  const calm = await registerSteadily("127.0.0.3", (done) => done < calmRegistrations);
  const flood = startScript(
    new URL("support/flood-child.ts", import.meta.url),
    [server.url, "127.0.0.2", String(flooded), String(connections)],
    { environment: {} },
  );
  processes.push(flood);
  let isOver = false;
  const ended = flood.ended.finally(() => (isOver = true));
  await flood.line(/^flooding$/);
  const beside = await registerSteadily("127.0.0.4", (done) => !isOver && done < mostBeside);
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });

  const report = reportSchema.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
  const shares = Math.ceil(report.milliseconds / 60_000);
  expect(Object.keys(report.statuses).toSorted()).toEqual(["201", "429"]);
  expect(report.statuses["201"]).toBeGreaterThanOrEqual(perMinute);
  expect(report.statuses["201"]).toBeLessThanOrEqual(perMinute * shares);
  expect((report.statuses["201"] ?? 0) + (report.statuses["429"] ?? 0)).toBe(flooded);
  const others = [...calm, ...beside];
  expect(others.map((one) => one.status)).toEqual(others.map(() => 201));
  const { stdout: told } = await server.run("status", "--json");
  const { registrations } = z
    .object({ registrations: z.array(z.object({ count: z.number() })) })
    .parse(JSON.parse(told));
  const live = registrations.reduce((sum, { count }) => sum + count, 0);
  expect(live).toBe((report.statuses["201"] ?? 0) + others.length);

  const figures = {
    perSecond: Math.round(flooded / (report.milliseconds / 1000)),
    calm: { count: calm.length, median: quantile(calm, 0.5), p95: quantile(calm, 0.95) },
    beside: { count: beside.length, median: quantile(beside, 0.5), p95: quantile(beside, 0.95) },
  };
  console.log(JSON.stringify(figures));
  if (!isSoak) return;
  expect(figures.beside.median).toBeLessThanOrEqual(2 * figures.calm.median);
  expect(figures.beside.p95).toBeLessThanOrEqual(2 * figures.calm.p95);
});
