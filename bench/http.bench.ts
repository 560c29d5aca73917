import { spawn } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openDataFolder } from "../packages/server/src/data-folder.ts";
import { openDefaultProject } from "../packages/server/src/projects/open.ts";
import { receiptKey } from "../packages/server/src/receipts/receipt-key.ts";
import { siteClient } from "../packages/server/src/test/http-client.ts";
import { endpointsAt, seed } from "../soak/support/seed.ts";
import type { Bench } from "./bench.ts";
import { broadcast, broadcastEnvironment, pushHosts, pushOrigins } from "./broadcast/broadcast.ts";
import { startServerProcess, type ServerProcess } from "./broadcast/process.ts";
import { load, type LoadReport, type Prepared } from "./http/load.ts";
import { startSink } from "./send/sink.ts";

const count = 12_000;
const connections = 64;
/** What a full run holds. */
const bounds = { registrations: 3_000, p99Ms: 50, receipts: 5_000 };

/** Registrations and receipts over HTTP, durable when they are answered, alone and while a broadcast goes out. */
export const httpBench: Bench = {
  name: `HTTP: registrations and receipts, ${count} each over ${connections} connections`,
  onlyLong: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const sink = await startSink(pushHosts);
    const environment = {
      ...broadcastEnvironment(sink, join(folder, "data")),
      SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
      SINETA_RECEIPTS_PER_MINUTE: "1000000",
    };
    try {
      const floor = await floorOf(join(folder, "floor.db"));
      const { server, startMs } = await timedStart(environment);
      const project = `${server.url}v1/projects/default`;
      const registrations = `${project}/registrations`;
      const prepared = await makeRegistrations(server.url);
      const part = (index: number) => prepared.slice(index * count, (index + 1) * count);

      const receipts = await load({
        url: `${project}/receipts`,
        connections,
        expected: 204,
        requests: await makeReceipts(environment, server),
      });
      // What comes first meets code that nobody has run yet.
      await load({ url: registrations, connections, expected: 201, requests: part(0) });
      const alone = await load({
        url: registrations,
        connections,
        expected: 201,
        requests: part(1),
      });
      const half = bounds.registrations / 2;
      const atHalf = await load({
        url: registrations,
        connections,
        expected: 201,
        perSecond: half,
        requests: part(2),
      });
      const beside = await besideBroadcast(environment, server, () =>
        load({
          url: registrations,
          connections,
          expected: 201,
          perSecond: half / 3,
          requests: part(3).slice(0, count / 3),
        }),
      );
      await server.stop();

      say("floor, one insert and commit each", floor);
      say("registrations", alone, floor);
      say(`registrations at ${half} per second`, atHalf);
      say("receipts", receipts, floor);
      say(`registrations at ${half / 3} per second beside a broadcast`, beside);
      console.log(
        `  ready after ${Math.round(startMs)} ms on a new data folder, of a checkout; Node alone ${Math.round(await nodeAlone())} ms`,
      );
      const passed =
        alone.perSecond >= bounds.registrations &&
        atHalf.p99 <= bounds.p99Ms &&
        receipts.perSecond >= bounds.receipts;
      if (!passed) console.log(`  FAILED: ${JSON.stringify(bounds)}`);
      return { passed };
    } finally {
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function say(what: string, { perSecond, p50, p99 }: LoadReport, floor?: LoadReport): void {
  const part =
    floor === undefined ? "" : `, ${(perSecond / floor.perSecond).toFixed(2)} of the floor`;
  console.log(
    `  ${what.padEnd(52)} ${Math.round(perSecond).toString().padStart(6)} /s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${part}`,
  );
}

async function floorOf(file: string): Promise<LoadReport> {
  const script = fileURLToPath(new URL("http/floor.ts", import.meta.url));
  const child = spawn(process.execPath, [script, file], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(createInterface(child.stdout), "line");
  const body = JSON.stringify({ endpoint: "x".repeat(300), keys: "x".repeat(120) });
  const requests = Array.from({ length: count }, () => ({ headers: {}, body }));
  const order = { url: `http://127.0.0.1:${port}/`, connections, expected: 201, requests };
  await load(order);
  const report = await load(order);
  child.kill();
  await once(child, "exit");
  return report;
}

async function timedStart(environment: NodeJS.ProcessEnv) {
  const startedMs = performance.now();
  const server = await startServerProcess(environment);
  return { server, startMs: performance.now() - startedMs };
}

async function nodeAlone(): Promise<number> {
  const startedMs = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "exit");
  return performance.now() - startedMs;
}

/** New browsers, each with an endpoint of its own, for four loads. */
async function makeRegistrations(site: string): Promise<Prepared[]> {
  const client = await siteClient(site);
  // One pair of keys serves all: the server looks at each as if it were new.
  const keys = {
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
  return Array.from({ length: count * 4 }, () => {
    const endpoint = `https://fcm.googleapis.com/fcm/send/${randomBytes(100).toString("base64url")}`;
    const clientSecret = randomBytes(32).toString("base64url");
    const { headers, body } = client.request({ clientSecret, subscription: { endpoint, keys } });
    return { headers, body };
  });
}

/** "Displayed", once from each of so many registrations, of a message that has gone to them. */
async function makeReceipts(
  environment: NodeJS.ProcessEnv,
  server: ServerProcess,
): Promise<Prepared[]> {
  const dataFolder = environment["SINETA_DATA"] ?? "";
  const registered = await seed(dataFolder, endpointsAt(pushOrigins, count));
  const { id } = await broadcast(server, environment, count);
  const store = await openDataFolder(dataFolder, Date.now());
  const project = await openDefaultProject({ store, dataFolder, randomBytes, nowMs: Date.now() });
  await store.close();
  const headers = { Origin: new URL(server.url).origin, "Content-Type": "application/json" };
  return registered.map(({ token }) => {
    const key = receiptKey(project.receiptSecret, id, token);
    return { headers, body: JSON.stringify({ messageId: id, token, key, event: "displayed" }) };
  });
}

async function besideBroadcast(
  environment: NodeJS.ProcessEnv,
  server: ServerProcess,
  measure: () => Promise<LoadReport>,
): Promise<LoadReport> {
  const [report] = await Promise.all([measure(), broadcast(server, environment, count * 4)]);
  return report;
}
