import { describe, expect, test } from "vitest";
import { summaryOf } from "./summary.mjs";

const step = { name: "unit", passed: 3, failed: 0, failures: [], unsteady: [], seconds: 4 };

describe("the summary", () => {
  test("ends with the counts, and names unsteady tests after them", () => {
    const { lines, passes } = summaryOf([{ ...step, unsteady: ["a: why", "b: why"] }, step]);
    expect(passes).toBe(true);
    expect(lines).toEqual([
      "== summary",
      "ok     unit (3 passed, 0 failed, 4 s)",
      "ok     unit (3 passed, 0 failed, 4 s)",
      "",
      "6 passed, 0 failed",
      "unsteady: a: why",
      "unsteady: b: why",
    ]);
  });

  test("names failures and what did not run", () => {
    const { lines, passes } = summaryOf(
      [{ ...step, failed: 1, failures: ["c: why"] }],
      ["browser"],
    );
    expect(passes).toBe(false);
    expect(lines).toEqual([
      "== summary",
      "FAILED unit (3 passed, 1 failed, 4 s)",
      "-      browser (not run)",
      "failed: c: why",
      "",
      "3 passed, 1 failed",
    ]);
  });

  test("is red with three unsteady tests, also of different steps", () => {
    const results = [
      { ...step, unsteady: ["a", "b"] },
      { ...step, unsteady: ["c"] },
    ];
    const { lines, passes } = summaryOf(results);
    expect(passes).toBe(false);
    expect(lines).toContain("FAILED unsteady tests (0 passed, 1 failed, 0 s)");
    expect(lines).toContain(
      "failed: unsteady tests: 3 passed only at their second look, and 2 may",
    );
    expect(lines).toContain("6 passed, 1 failed");
  });
});
