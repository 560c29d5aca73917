import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { startServerProcess } from "./broadcast/process.ts";
import { spreadOf } from "./rounds.ts";
import { tableOf } from "./table.ts";

const rounds = 5;

/** From the command to the line that says that the server is ready. The floor is Node, started and ended. */
export const startBench: Bench = {
  name: `start: until sineta serve is ready, as it is built, ${rounds} rounds`,
  onlyLong: true,
  async run() {
    const nodeAlone: number[] = [];
    const newFolder: number[] = [];
    const sameFolder: number[] = [];
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    try {
      for (let round = 0; round <= rounds; round += 1) {
        const data = join(folder, String(round));
        const took = [await timedNode(), await timedServer(data), await timedServer(data)];
        // The first one reads from a disk what the others find in memory.
        if (round === 0) continue;
        for (const [index, list] of [nodeAlone, newFolder, sameFolder].entries()) {
          list.push(took[index] ?? Number.NaN);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const rowOf = (name: string, ms: readonly number[]) => {
      const { median, least, most } = spreadOf(ms);
      const times = spreadOf(ms.map((each, round) => each / (nodeAlone[round] ?? Number.NaN)));
      return [
        name,
        `${median.toFixed(0)} ms`,
        `${least.toFixed(0)} to ${most.toFixed(0)} ms`,
        times.median.toFixed(1),
      ];
    };
    const head = ["", "median", "lowest and highest", "x Node alone"];
    const rows = [
      rowOf("Node alone", nodeAlone),
      rowOf("ready, on a new data folder", newFolder),
      rowOf("ready, on a data folder that is there", sameFolder),
    ];
    console.log(tableOf([head, ...rows]));
    return { passed: true };
  },
};

async function timedServer(dataFolder: string): Promise<number> {
  const startedMs = performance.now();
  const server = await startServerProcess({
    ...process.env,
    SINETA_DATA: dataFolder,
    SINETA_PORT: "0",
    SINETA_LOG_LEVEL: "warn",
  });
  const tookMs = performance.now() - startedMs;
  await server.stop();
  return tookMs;
}

async function timedNode(): Promise<number> {
  const startedMs = performance.now();
  await once(spawn(process.execPath, ["-e", "0"]), "exit");
  return performance.now() - startedMs;
}
