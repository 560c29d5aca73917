// Everything that must hold, one step after the other, and one summary at the end.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
  {
    name: "unit and integration",
    command: "vitest",
    args: ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${unitReport}`],
    count: () => unitCounts(JSON.parse(readFileSync(unitReport, "utf8"))),
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
    count: () => unitCounts(JSON.parse(readFileSync(faultReport, "utf8"))),
    report: faultReport,
  },
  {
    name: "browser",
    command: "playwright",
    args: ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport },
    count: () => browserCounts(JSON.parse(readFileSync(browserReport, "utf8"))),
    report: browserReport,
  },
  { name: "bench, short", command: "node", args: ["bench/main.ts", "--short"] },
];

function unitCounts({ numPassedTests, numTotalTests }) {
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests };
}

function browserCounts({ stats }) {
  // A test that is skipped, or passes only at the second try, has not passed.
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped };
}

function runStep({ name, command, args, env, count, report }) {
  console.log(`\n== ${name}`);
  const startedMs = Date.now();
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  const own = count && existsSync(report) ? count() : { passed: 0, failed: 0 };
  // Whatever its counts say, a step that ends with an error has failed.
  const failed = status === 0 ? own.failed : Math.max(own.failed, 1);
  const passed = count ? own.passed : Number(failed === 0);
  return { name, passed, failed, seconds: Math.round((Date.now() - startedMs) / 1000) };
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
console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
process.exit(sum("failed") === 0 ? 0 : 1);
