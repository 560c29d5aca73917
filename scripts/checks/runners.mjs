// Steps that are run by Vitest and by Playwright.
import { readPlaywrightReport, readVitestReport } from "./reports.mjs";

/** @returns {import("./run-step.mjs").Step} */
export function vitestStep({ name, args = [] }) {
  return {
    name,
    command: "vitest",
    args: ["run", ...args],
    reportTo: (file) => ({ args: ["--reporter=json", `--outputFile.json=${file}`] }),
    readReport: readVitestReport,
    // Whole files, since a test may need what an earlier test of its file did.
    again: (failures) => filesOf(failures, ["--maxWorkers=1"]),
  };
}

/**
 * Playwright itself runs failed tests again, alone and at the end: `retryStrategy` in its configuration.
 * @returns {import("./run-step.mjs").Step}
 */
export function playwrightStep({ name, args = [], env = {} }) {
  return {
    name,
    command: "playwright",
    args: ["test", ...args],
    env,
    reportTo: (file) => ({ env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } }),
    readReport: readPlaywrightReport,
    // Nothing has run if a file could not be loaded.
    again: (failures) => (failures.every(({ isLoad }) => isLoad) ? [] : undefined),
  };
}

function filesOf(failures, more) {
  const files = new Set(failures.map(({ file }) => file).filter(Boolean));
  return files.size === 0 ? undefined : [...more, ...files];
}
