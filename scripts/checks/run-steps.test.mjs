import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runSteps } from "./run-steps.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-checks-"));
  vi.spyOn(console, "log").mockReturnValue();
});
afterEach(() => rmSync(folder, { recursive: true }));

const exiting = (name, status) => ({
  name,
  command: process.execPath,
  args: ["-e", `process.exit(${status})`],
});

function run(first, then) {
  const where = { folder, reports: join(folder, "reports"), output: "ignore" };
  const { lines, passes } = runSteps(first, then, where);
  return { passes, lines: lines.map((line) => line.replace(/, \d+ s\)$/, ")")) };
}

test("a quick step that fails ends the run at once", () => {
  const first = [exiting("format", 0), exiting("lint", 1), exiting("types", 0)];
  const { lines, passes } = run(first, [exiting("unit", 0)]);
  expect(passes).toBe(false);
  expect(lines).toEqual([
    "== summary",
    "ok     format (1 passed, 0 failed)",
    "FAILED lint (0 passed, 1 failed)",
    "-      types (not run)",
    "-      unit (not run)",
    "failed: lint: ended with exit status 1",
    "",
    "1 passed, 1 failed",
  ]);
});

test("another step that fails does not keep later steps from running", () => {
  const { lines, passes } = run([exiting("format", 0)], [exiting("unit", 3), exiting("bench", 0)]);
  expect(passes).toBe(false);
  expect(lines).toContain("ok     bench (1 passed, 0 failed)");
  expect(lines.at(-1)).toBe("2 passed, 1 failed");
});
