// Runs the checks that take a minute, and the unit tests that import what changed since `main`.
import { spawnSync } from "node:child_process";
import { quickSteps } from "./checks/quick-steps.mjs";
import { runStepsAndExit } from "./checks/run-steps.mjs";
import { vitestStep } from "./checks/runners.mjs";

const isCommit = (name) =>
  spawnSync("git", ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).status === 0;

// A clone of one branch has no `main` of its own.
const base = ["main", "origin/main"].find(isCommit);
if (base === undefined) {
  console.error(
    "quick: there is no branch `main` to compare with. Fetch it: git fetch origin main:main",
  );
  process.exit(1);
}

runStepsAndExit(quickSteps, [
  vitestStep({
    name: `unit tests of what changed since ${base}`,
    args: ["--reporter=dot", `--changed=${base}`, "--passWithNoTests"],
  }),
]);
