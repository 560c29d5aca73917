import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runStep } from "./run-step.mjs";
import { playwrightStep, vitestStep } from "./runners.mjs";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
const root = dirname(dirname(dirname(fixtures)));
const tools = join(root, "node_modules", ".bin");

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-checks-"));
  vi.spyOn(console, "log").mockReturnValue();
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(step, env = {}) {
  const own = { PATH: `${tools}:${process.env.PATH}`, FIXTURE_FOLDER: folder, ...env };
  const where = { folder: root, reports: join(folder, "reports"), output: "ignore" };
  return runStep({ ...step, env: { ...step.env, ...own } }, where);
}

describe("Vitest's tests", () => {
  const config = `--config=${fixtures}vitest/vitest.config.mjs`;
  const step = vitestStep({ name: "unit tests", args: [config] });
  const runFixtures = (names) => run(step, { FIXTURE_FILES: names });

  test("fail if they fail twice, and are unsteady if they fail once", () => {
    const result = runFixtures("{once,twice,load-once,load-twice,passes}");
    expect(result.unsteady.toSorted()).toEqual([
      expect.stringContaining("load-once.fixture.mjs could not be loaded: not loaded at first"),
      expect.stringContaining("fails once: AssertionError: expected true to be false"),
      expect.stringContaining("passes only in the first run: AssertionError"),
    ]);
    expect(result.failures.toSorted()).toEqual([
      expect.stringContaining("load-twice.fixture.mjs could not be loaded: never loaded"),
      expect.stringContaining("fails twice: AssertionError: expected 'this' to be 'that'"),
    ]);
    // Each of the tests that has passed once counts once; loading counts as no test.
    expect(result).toMatchObject({ passed: 6, failed: 2 });
  });

  test("fail with an error that no test has caught", () => {
    const { failures } = runFixtures("unhandled");
    expect(failures).toEqual(["unit tests: ended with exit status 1, though no test failed"]);
  });
});

describe("Playwright's tests", () => {
  const config = `--config=${fixtures}playwright/playwright.config.mjs`;
  const browser = playwrightStep({
    name: "browser",
    args: [config, "--reporter=json", "--project=chromium", "--project=firefox"],
  });
  const afterwards = playwrightStep({
    name: "afterwards",
    args: [config, "--reporter=json", "--project=afterwards", "--no-deps"],
  });

  test("fail if they fail twice, and are unsteady if they pass after all others", () => {
    const result = run(browser, { FIXTURE_FILES: "tests" });
    expect(result).toMatchObject({
      passed: 2,
      failed: 1,
      unsteady: [
        expect.stringContaining("fails once, and its second try is the last test of all: Error"),
      ],
      failures: [expect.stringContaining("fails twice: Error: expect(received).toBe(expected)")],
    });
    expect(run(afterwards, { FIXTURE_FILES: "tests" })).toMatchObject({ passed: 1, failed: 0 });
  });

  test("run when their file is loaded at the second time", () => {
    expect(run(browser, { FIXTURE_FILES: "load" })).toMatchObject({
      passed: 1,
      failed: 0,
      unsteady: [expect.stringContaining("could not be loaded: Error: not loaded at first")],
    });
  });
});

describe("a command", () => {
  const script = `
    const { isFirstTime } = await import("${fixtures}first-time.mjs");
    process.exit(isFirstTime("command") ? 7 : 0);`;
  const command = {
    name: "bench",
    command: process.execPath,
    args: ["--input-type=module", "-e", script],
  };

  test("that fails once is unsteady where it gets a second look, and fails elsewhere", () => {
    expect(run({ ...command, again: () => [] })).toMatchObject({
      passed: 1,
      failed: 0,
      unsteady: ["bench: ended with exit status 7"],
    });
    rmSync(join(folder, "command"));
    expect(run(command)).toMatchObject({ passed: 0, failed: 1, unsteady: [] });
  });

  test("that leaves no report fails", () => {
    const { failures } = run(vitestStep({ name: "unit tests", args: ["--no-such-option"] }));
    expect(failures).toEqual(["unit tests: ended with exit status 1, without a report"]);
  });
});
