// Everything that must hold, one step after the other, and one summary at the end.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPlaywrightReport, readVitestReport } from "./test-reports.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = join(root, "node_modules", ".cache", "reports");
const unitReport = join(reports, "unit.json");
const faultReport = join(reports, "faults.json");
const browserReport = join(reports, "browser.json");

/** A step counts as one check, unless it writes a report that holds its own counts. */
const steps = [
  { name: "lockfile", command: "node", args: ["scripts/lockfile.mjs"] },
  { name: "format", command: "oxfmt", args: ["--check"] },
  { name: "lint", command: "oxlint", args: ["--deny-warnings"] },
  { name: "types", command: "tsc", args: ["-b"] },
  { name: "unused", command: "knip", args: [] },
  { name: "build and packages", command: "node", args: ["scripts/packages.mjs"] },
  { name: "size", command: "size-limit", args: [] },
  { name: "size of the console's pages", command: "node", args: ["scripts/console-size.mjs"] },
  {
    name: "unit and integration",
    command: "vitest",
    args: ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${unitReport}`],
    read: readVitestReport,
    report: unitReport,
  },
  {
    name: "faults, short",
    command: "vitest",
    args: [
      "run",
      "--config=soak/vitest.config.ts",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${faultReport}`,
    ],
    read: readVitestReport,
    report: faultReport,
  },
  {
    name: "browser",
    command: "playwright",
    args: ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport },
    read: readPlaywrightReport,
    report: browserReport,
  },
  { name: "bench, short", command: "node", args: ["bench/main.ts", "--short"] },
];

function runStep({ name, command, args, env, read, report }) {
  console.log(`\n== ${name}`);
  const startedMs = Date.now();
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  const own =
    read && existsSync(report)
      ? read(JSON.parse(readFileSync(report, "utf8")))
      : { passed: 0, failed: 0, failures: [] };
  // Whatever its counts say, a step that ends with an error has failed.
  const failed = status === 0 ? own.failed : Math.max(own.failed, 1);
  const passed = read ? own.passed : Number(failed === 0);
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  return { name, passed, failed, failures: own.failures, seconds };
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const results = steps.map(runStep);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);

console.log("\n== summary");
for (const { name, passed, failed, seconds } of results) {
  console.log(
    `${failed === 0 ? "ok    " : "FAILED"} ${name} (${passed} passed, ${failed} failed, ${seconds} s)`,
  );
}
// Last, so that they are there where only the end of the log was kept.
for (const failure of results.flatMap(({ failures }) => failures))
  console.log(`failed: ${failure}`);
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);
