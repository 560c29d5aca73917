// Runs steps one after the other.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runStep } from "./run-step.mjs";
import { summaryOf } from "./summary.mjs";

const folder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const checkout = { folder, reports: join(folder, "node_modules", ".cache", "reports") };

/** What Node compiles is kept for the many processes that the tests start. */
process.env.NODE_COMPILE_CACHE ??= join(folder, "node_modules", ".cache", "compiled");

/** Prints the summary, and ends the process: with status 0 if the run passes. */
export function runStepsAndExit(first, then) {
  const { lines, passes } = runSteps(first, then, checkout);
  console.log(`\n${lines.join("\n")}`);
  process.exit(passes ? 0 : 1);
}

/**
 * @param {import("./run-step.mjs").Step[]} first Each of them ends the run if it fails.
 * @param {import("./run-step.mjs").Step[]} then All of them run.
 * @param {Parameters<typeof runStep>[1]} where
 * @returns {ReturnType<typeof summaryOf>}
 */
export function runSteps(first, then, where) {
  rmSync(where.reports, { recursive: true, force: true });
  const results = [];
  for (const step of [...first, ...then]) {
    results.push(runStep(step, where));
    if (first.includes(step) && results.at(-1).failed > 0) break;
  }
  const notRun = [...first, ...then].slice(results.length).map(({ name }) => name);
  return summaryOf(results, notRun);
}
