// What the reports of Vitest and Playwright say, in one shape: how many passed, and which failed.

/**
 * @param {{ numPassedTests: number, numTotalTests: number, testResults: object[] }} report Vitest's
 * @returns {{ passed: number, failed: number, failures: string[] }}
 */
export function readVitestReport({ numPassedTests, numTotalTests, testResults }) {
  const failures = testResults.flatMap(({ assertionResults, status, message, name }) => {
    const failed = assertionResults.filter(({ status: own }) => own === "failed");
    // A file that could not be loaded has no tests of its own.
    if (failed.length === 0 && status === "failed") return [`${name}: ${firstLine(message)}`];
    return failed.map(
      ({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`,
    );
  });
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests, failures };
}

/**
 * @param {{ stats: object, suites: object[] }} report Playwright's
 * @returns {{ passed: number, failed: number, failures: string[] }}
 */
export function readPlaywrightReport({ stats, suites }) {
  const failures = specsOf(suites)
    .filter(({ spec }) => spec.tests.some(({ status }) => status !== "expected"))
    .map(({ spec, titles }) => {
      const results = spec.tests.flatMap(({ results: own }) => own);
      const message = results.find(({ error }) => error)?.error.message;
      return `${[...titles, spec.title].join(" › ")}: ${firstLine(message)}`;
    });
  // A test that is skipped, or passes only at the second try, has not passed.
  const failed = stats.unexpected + stats.flaky + stats.skipped;
  return { passed: stats.expected, failed, failures };
}

function specsOf(suites, titles = []) {
  return suites.flatMap(({ title, specs = [], suites: inner = [] }) => [
    ...specs.map((spec) => ({ spec, titles: [...titles, title] })),
    ...specsOf(inner, [...titles, title]),
  ]);
}

/** The first lines, without colours: what fits under a summary. */
function firstLine(text = "no message") {
  // oxlint-disable-next-line no-control-regex -- colours begin with a control character
  const lines = text.replaceAll(/\u001B\[[\d;]*m/gu, "").split("\n");
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 6)
    .join(" | ")
    .slice(0, 400);
}
