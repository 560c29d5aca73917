// Decides about a test that failed, when it has run a second time.

/** @typedef {import("./reports.mjs").TestResult} TestResult */

/** @param {TestResult[]} results @returns {TestResult[]} */
export const failuresIn = (results) => results.filter(({ outcome }) => outcome === "failed");

/**
 * A test passes if it passed in both looks, is unsteady if it passed in one, and fails otherwise.
 * @param {TestResult[]} first Every test.
 * @param {TestResult[]} second The tests of the files in which a test failed.
 * @returns {TestResult[]}
 */
export function mergeLooks(first, second) {
  const again = new Map(second.map((result) => [result.id, result]));
  const known = new Set(first.map(({ id }) => id));
  return [
    ...first.map((result) => mergeOne(result, again.get(result.id))),
    // Only tests of a file that could not be loaded at first are new.
    ...second.filter(({ id }) => !known.has(id)),
  ];
}

function mergeOne(first, second) {
  if (first.outcome !== "failed") {
    return second?.outcome === "failed"
      ? { ...first, outcome: "unsteady", why: second.why }
      : first;
  }
  // Only failures stand in a report for loading.
  const passedNow = first.isLoad ? second === undefined : second?.outcome === "passed";
  return passedNow ? { ...first, outcome: "unsteady" } : first;
}
