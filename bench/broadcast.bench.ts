import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { endpointsAt, seed } from "../soak/support/seed.ts";
import type { Bench } from "./bench.ts";
import { startServerProcess, type ServerProcess } from "./broadcast/process.ts";
import { startSink, type Sink } from "./send/sink.ts";

const sizes = [10_000, 100_000, 1_000_000];
/** Registrations in one go, so that the filling itself needs little memory. */
const portion = 20_000;
/** Resident memory that a broadcast may take, whatever its size. */
const mostMb = 300;
const sampleMs = 500;

/** Chrome, Firefox and Safari, as the browsers of a site are spread. */
const origins = [
  ...Array.from({ length: 8 }, () => "https://fcm.googleapis.com"),
  "https://updates.push.services.mozilla.com",
  "https://web.push.apple.com",
];

const sineta = fileURLToPath(import.meta.resolve("../packages/server/bin/sineta.mjs"));

/** One message to all of so many registrations, from SQLite to a sink beside it: how long it takes, and in how much memory. */
export const broadcastBench: Bench = {
  name: "broadcast: from the database to nginx beside it, over TLS and HTTP/2",
  onlyLong: true,
  async run() {
    const sink = await startSink([...new Set(origins)].map((origin) => new URL(origin).hostname));
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const environment = environmentFor(sink, folder);
    let passed = true;
    try {
      let registered = 0;
      console.log("  registrations      time     per second   CPU per push   resident, at most");
      for (const size of sizes) {
        while (registered < size) {
          const count = Math.min(portion, size - registered);
          await seed(
            folder,
            endpointsAt(origins, count).map((endpoint) => `${endpoint}-${registered}`),
          );
          registered += count;
        }
        const server = await startServerProcess(environment);
        const { seconds, cpuSeconds, samples } = await broadcast(server, environment, size);
        const { mostMb: most } = server.memory();
        await server.stop();
        const perPush = `${((cpuSeconds / size) * 1e6).toFixed(0)} us`;
        console.log(
          `  ${String(size).padStart(13)} ${seconds.toFixed(1).padStart(8)} s ${(size / seconds).toFixed(0).padStart(11)} ${perPush.padStart(14)} ${most.toFixed(0).padStart(8)} MB; over time ${samples.join(" ")}`,
        );
        passed &&= most <= mostMb;
      }
    } finally {
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    }
    if (!passed) console.log(`  FAILED: at most ${mostMb} MB, whatever the size`);
    return { passed };
  },
};

function environmentFor({ port, caFile }: Sink, dataFolder: string): NodeJS.ProcessEnv {
  const routes = [...new Set(origins)].map(
    (origin) => `${new URL(origin).hostname}=127.0.0.1:${port}`,
  );
  return {
    ...process.env,
    NODE_EXTRA_CA_CERTS: caFile,
    SINETA_DATA: dataFolder,
    SINETA_PORT: "0",
    SINETA_PUSH_ROUTES: routes.join(),
    SINETA_LOG_LEVEL: "warn",
  };
}

async function broadcast(server: ServerProcess, env: NodeJS.ProcessEnv, size: number) {
  const words = [
    "send",
    "--to",
    "all",
    "--title",
    "Bolo",
    "--body",
    "Saiu do forno agora há pouco",
    "--no-wait",
  ];
  const cpuBefore = server.cpuSeconds();
  const startedMs = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [sineta, ...words], { env });
  const id = stdout.split(" ")[0] ?? "";
  const samples: string[] = [];
  for (let nextMs = 0; !isDone(env["SINETA_DATA"] ?? "", id, size);) {
    await delay(sampleMs);
    if (performance.now() < nextMs) continue;
    samples.push(server.memory().nowMb.toFixed(0));
    nextMs = performance.now() + 10_000;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return { seconds, cpuSeconds: server.cpuSeconds() - cpuBefore, samples };
}

function isDone(dataFolder: string, id: string, size: number): boolean {
  const database = new DatabaseSync(join(dataFolder, "sineta.db"), { readOnly: true });
  try {
    const message = database.prepare("select state from messages where id = ?").get(id);
    if (message?.["state"] !== "done") return false;
    const counts = database
      .prepare("select sum(accepted) as accepted from batches where message_id = ?")
      .get(id);
    if (counts?.["accepted"] !== size)
      throw new Error(`accepted: ${String(counts?.["accepted"])} of ${size}`);
    return true;
  } finally {
    database.close();
  }
}
