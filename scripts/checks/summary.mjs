// What a run prints at its end.

/** A run with more tests that pass only at their second look is red. */
const unsteadyAllowed = 2;

/**
 * @param {import("./run-step.mjs").StepResult[]} results
 * @param {string[]} notRun Names of steps that an earlier failure has kept from running.
 * @returns {{ lines: string[], passes: boolean }}
 */
export function summaryOf(results, notRun = []) {
  const unsteady = results.flatMap((result) => result.unsteady);
  const all = unsteady.length > unsteadyAllowed ? [...results, tooMany(unsteady.length)] : results;
  const sum = (key) => all.reduce((total, result) => total + result[key], 0);
  return {
    passes: sum("failed") === 0,
    lines: [
      "== summary",
      ...all.map(lineOf),
      ...notRun.map((name) => `-      ${name} (not run)`),
      // Failures come late, because a log may keep its end alone.
      ...all.flatMap(({ failures }) => failures).map((failure) => `failed: ${failure}`),
      "",
      `${sum("passed")} passed, ${sum("failed")} failed`,
      ...unsteady.map((test) => `unsteady: ${test}`),
    ],
  };
}

function lineOf({ name, passed, failed, seconds }) {
  const word = failed === 0 ? "ok    " : "FAILED";
  return `${word} ${name} (${passed} passed, ${failed} failed, ${seconds} s)`;
}

function tooMany(count) {
  const name = "unsteady tests";
  const failure = `${name}: ${count} passed only at their second look, and ${unsteadyAllowed} may`;
  return { name, passed: 0, failed: 1, failures: [failure], unsteady: [], seconds: 0 };
}
