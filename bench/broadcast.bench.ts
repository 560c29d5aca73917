import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpointsAt, seed } from "../soak/support/seed.ts";
import type { Bench } from "./bench.ts";
import { broadcast, broadcastEnvironment, pushHosts, pushOrigins } from "./broadcast/broadcast.ts";
import { startServerProcess } from "./broadcast/process.ts";
import { startSink } from "./send/sink.ts";

const sizes = [10_000, 100_000, 1_000_000];
/** Registrations in one go, so that the filling itself needs little memory. */
const portion = 20_000;
/** Resident memory that a broadcast may take, whatever its size. */
const mostMb = 300;

/** One message to all of so many registrations, from SQLite to a sink beside it: how long it takes, and in how much memory. */
export const broadcastBench: Bench = {
  name: "broadcast: from the database to nginx beside it, over TLS and HTTP/2",
  onlyLong: true,
  async run() {
    const sink = await startSink(pushHosts);
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const environment = broadcastEnvironment(sink, folder);
    let passed = true;
    try {
      let registered = 0;
      console.log("  registrations      time     per second   CPU per push   resident, at most");
      for (const size of sizes) {
        while (registered < size) {
          const count = Math.min(portion, size - registered);
          await seed(
            folder,
            endpointsAt(pushOrigins, count).map((endpoint) => `${endpoint}-${registered}`),
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
