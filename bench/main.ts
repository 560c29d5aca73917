/**
 * `npm run bench`: measures, prints, and exits with 1 if a bound is broken.
 * `npm run bench -- --short` takes about ten seconds and holds no bound.
 * `--only WORDS` takes those whose name begins with these words; `--write` puts the table of sizes into docs/performance.md.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { attackerBenches } from "./attackers.bench.ts";
import type { Bench } from "./bench.ts";
import { broadcastBench } from "./broadcast.bench.ts";
import { consoleBench } from "./console.bench.ts";
import { consoleSendingBench } from "./console-sending.bench.ts";
import { httpBench } from "./http.bench.ts";
import { pageBench } from "./page.bench.ts";
import { sealBench } from "./seal.bench.ts";
import { sendBench } from "./send.bench.ts";
import { sizesBench } from "./sizes.bench.ts";
import { startBench } from "./start.bench.ts";

const benches: readonly Bench[] = [
  sealBench,
  sendBench,
  broadcastBench,
  httpBench,
  startBench,
  pageBench,
  sizesBench,
  consoleBench,
  consoleSendingBench,
  ...attackerBenches,
];

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

const chosen = benches.filter(
  ({ name, onlyLong = false }) => name.startsWith(values.only) && !(onlyLong && values.short),
);
if (chosen.length === 0) {
  const isLong = benches.some(({ name }) => name.startsWith(values.only));
  const why = isLong ? "is part of a short run" : "is there";
  console.error(`No bench whose name begins with "${values.only}" ${why}. There are:`);
  for (const { name, onlyLong } of benches) {
    console.error(`  ${name}${onlyLong ? " (not with --short)" : ""}`);
  }
  process.exit(1);
}
console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown"}`);
for (const { name, run } of chosen) {
  console.log(`\n${name}`);
  try {
    const { passed } = await run(values);
    if (!passed) process.exitCode = 1;
  } catch (error) {
    // The others are measured all the same.
    console.error("FAILED:", error);
    process.exitCode = 1;
  }
}
