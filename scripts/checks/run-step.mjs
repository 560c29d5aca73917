// Runs one step of the checks, and once more what failed in it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { failuresIn, mergeLooks } from "./second-look.mjs";

/**
 * A command is a step. Without `readReport` it is one check.
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} [env]
 * @property {(file: string) => { args?: string[], env?: NodeJS.ProcessEnv }} [reportTo] Makes the command write its report.
 * @property {(report: object) => TestResult[]} [readReport]
 * @property {(failures: TestResult[]) => string[] | undefined} [again]
 *   Arguments that run the failures alone. A step without it gets no second look.
 *
 * @typedef {import("./reports.mjs").TestResult} TestResult
 *
 * @typedef {object} StepResult
 * @property {string} name
 * @property {number} passed Includes unsteady tests.
 * @property {number} failed
 * @property {string[]} failures
 * @property {string[]} unsteady
 * @property {number} seconds
 */

/**
 * @param {Step} step
 * @param {{ folder: string, reports: string, output?: "inherit" | "ignore" }} where Where the command runs, where its
 *   reports go, and what becomes of its output.
 * @returns {StepResult}
 */
export function runStep(step, where) {
  const startedMs = Date.now();
  console.log(`\n== ${step.name}`);
  let results = look(step, "first", [], where);
  const failures = failuresIn(results);
  const again = failures.length === 0 ? undefined : step.again?.(failures);
  if (again !== undefined) {
    console.log(`\n== ${step.name}: a second look at what failed`);
    results = mergeLooks(results, look(step, "second", again, where));
  }
  const named = (outcome) => results.filter((result) => result.outcome === outcome);
  return {
    name: step.name,
    passed: results.filter(({ outcome, isLoad }) => outcome !== "failed" && !isLoad).length,
    failed: failuresIn(results).length,
    failures: failuresIn(results).map(textOf),
    unsteady: named("unsteady").map(textOf),
    seconds: Math.round((Date.now() - startedMs) / 1000),
  };
}

const textOf = ({ name, why }) => `${name}: ${why}`;

function look(step, which, more, { folder, reports, output = "inherit" }) {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, `${step.name.replaceAll(/\W+/g, "-")}-${which}.json`);
  rmSync(file, { force: true });
  const { args = [], env } = step.reportTo?.(file) ?? {};
  const { status } = spawnSync(step.command, [...step.args, ...args, ...more], {
    cwd: folder,
    stdio: ["inherit", output, output],
    env: { ...process.env, ...step.env, ...env },
    shell: process.platform === "win32",
  });
  const whole = { id: step.name, file: "", name: step.name, isLoad: false };
  const ended = `ended with exit status ${status}`;
  if (step.readReport === undefined)
    return [{ ...whole, outcome: status === 0 ? "passed" : "failed", why: ended }];
  if (!existsSync(file))
    return [{ ...whole, outcome: "failed", why: `${ended}, without a report` }];
  const results = step.readReport(JSON.parse(readFileSync(file, "utf8")));
  // For example an error that no test has caught.
  return status === 0 || failuresIn(results).length > 0
    ? results
    : [...results, { ...whole, outcome: "failed", why: `${ended}, though no test failed` }];
}
