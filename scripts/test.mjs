// Runs every check.
import { quickSteps } from "./checks/quick-steps.mjs";
import { runStepsAndExit } from "./checks/run-steps.mjs";
import { playwrightStep, vitestStep } from "./checks/runners.mjs";

const config = "--config=e2e/playwright.config.ts";
const reporter = "--reporter=list,json";

runStepsAndExit(quickSteps, [
  vitestStep({ name: "unit and integration", args: ["--reporter=dot"] }),
  vitestStep({
    name: "faults, short",
    args: ["--config=soak/vitest.config.ts", "--reporter=default"],
  }),
  playwrightStep({
    name: "browser",
    args: [config, reporter, "--project=chromium", "--project=firefox"],
  }),
  playwrightStep({
    name: "logs of the browser step",
    args: [config, reporter, "--project=afterwards", "--no-deps"],
    env: { KEEP_SERVER_LOGS: "yes" },
  }),
  {
    name: "bench, short",
    command: "node",
    args: ["bench/main.ts", "--short"],
    again: () => [],
  },
]);
