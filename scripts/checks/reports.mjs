// Reads the JSON reports of Vitest and Playwright in one shape.

/**
 * @typedef {object} TestResult
 * @property {string} id The same in every run.
 * @property {string} file Absolute path of the test file. Empty for an error of the whole run.
 * @property {string} name
 * @property {boolean} isLoad Whether this stands for a file that could not be loaded. It is no test.
 * @property {"passed" | "unsteady" | "failed"} outcome `unsteady`: the test failed, and passed alone.
 * @property {string} why The first lines of the error.
 */

/**
 * @param {{ testResults: object[] }} report Vitest's
 * @returns {TestResult[]}
 */
export function readVitestReport({ testResults }) {
  const results = testResults.flatMap(({ assertionResults, status, message, name: file }) => {
    if (assertionResults.length === 0 && status === "failed") return [loadFailure(file, message)];
    return assertionResults.map(({ fullName, status: own, failureMessages }) => ({
      file,
      name: fullName,
      isLoad: false,
      // A skipped test has not passed.
      outcome: own === "passed" ? "passed" : "failed",
      why: own === "passed" ? "" : firstLines(failureMessages?.[0] || message || own),
    }));
  });
  return withIds(results);
}

/**
 * @param {{ config: { rootDir: string }, errors: object[], suites: object[] }} report Playwright's
 * @returns {TestResult[]}
 */
export function readPlaywrightReport({ config, errors, suites }) {
  const tests = specsOf(suites).flatMap(({ spec, titles }) =>
    spec.tests.map(({ status, projectName, results }) => ({
      file: `${config.rootDir}/${spec.file}`,
      name: [projectName, ...titles, spec.title].join(" › "),
      isLoad: false,
      // A skipped test has not passed.
      outcome: { expected: "passed", flaky: "unsteady" }[status] ?? "failed",
      why: status === "expected" ? "" : firstLines(messagesOf(results) || status),
    })),
  );
  // Playwright runs no test if a file cannot be loaded. It adds an error without a place, which says just that.
  const placed = errors.filter(({ location }) => location !== undefined);
  const failures = (placed.length > 0 ? placed : errors).map(({ message, location }) =>
    loadFailure(location?.file ?? "", message),
  );
  return withIds([...failures, ...tests]);
}

/** A test that ran into its limit has two errors; the second one says what it waited for. */
function messagesOf(results) {
  const errors = results.find(({ errors: own }) => own.length > 0)?.errors ?? [];
  return errors.map(({ message }) => message).join("\n");
}

function specsOf(suites, titles = []) {
  return suites.flatMap(({ title, specs = [], suites: inner = [] }) => [
    ...specs.map((spec) => ({ spec, titles: [...titles, title] })),
    ...specsOf(inner, [...titles, title]),
  ]);
}

function loadFailure(file, message) {
  const name = `${file || "the run"} could not be loaded`;
  return { file, name, isLoad: true, outcome: "failed", why: firstLines(message) };
}

/** Numbers tests of one file that share a name. */
function withIds(results) {
  const counts = new Map();
  return results.map((result) => {
    const key = `${result.file} › ${result.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { id: `${key} #${count}`, ...result };
  });
}

/** The first lines without colours, short enough for a summary. */
function firstLines(text = "no message") {
  // oxlint-disable-next-line no-control-regex -- colours begin with a control character
  const lines = text.replaceAll(/\u001B\[[\d;]*m/gu, "").split("\n");
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 6)
    .join(" | ")
    .slice(0, 400);
}
