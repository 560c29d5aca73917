// Checks that take a minute together, the fastest first.

/** @type {import("./run-step.mjs").Step[]} */
export const quickSteps = [
  { name: "lockfile", command: "node", args: ["scripts/lockfile.mjs"] },
  { name: "format", command: "oxfmt", args: ["--check"] },
  { name: "unused", command: "knip", args: [] },
  { name: "lint", command: "oxlint", args: ["--deny-warnings"] },
  { name: "types", command: "tsc", args: ["-b"] },
  { name: "build and packages", command: "node", args: ["scripts/packages.mjs"] },
  { name: "size", command: "size-limit", args: [] },
  { name: "size of the console's pages", command: "node", args: ["scripts/console-size.mjs"] },
  { name: "size of the installed server", command: "node", args: ["scripts/installed-size.mjs"] },
];
