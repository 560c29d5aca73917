/**
 * `npm run bench`: measures, prints, and exits with 1 if a bound is broken.
 * `npm run bench -- --short` takes about five seconds and holds no bound.
 * `--only WORDS` takes those whose name begins with these words; `--write` puts the table of sizes into docs/performance.md.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { broadcastBench } from "./broadcast.bench.ts";
import { consoleBench } from "./console.bench.ts";
import { httpBench } from "./http.bench.ts";
import { sealBench } from "./seal.bench.ts";
import { sendBench } from "./send.bench.ts";
import { sizesBench } from "./sizes.bench.ts";

const benches: readonly Bench[] = [
  sealBench,
  sendBench,
  broadcastBench,
  httpBench,
  sizesBench,
  consoleBench,
];

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}`);
for (const { name, run, onlyLong = false } of benches) {
  if (!name.startsWith(values.only)) continue;
  if (onlyLong && values.short) continue;
  console.log(`\n${name}`);
  const { passed } = await run(values);
  if (!passed) process.exitCode = 1;
}
