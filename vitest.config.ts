import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./scripts/longest-first.ts";

const all = "{packages,apps,scripts,bench}/**/*.test.{ts,tsx,mjs}";

/** What a file does to its whole process, and what it measures of it: no other file may run there. */
const needsOwnProcess =
  /@vitest-environment|\bvi\.(?:mock|doMock|stubGlobal|stubEnv|useFakeTimers)\b|\bprocess\.(?:env|on|once|chdir|umask|memoryUsage)\b|\b(?:gc|heapBytes)\(/;

const own = globSync(all, {
  cwd: import.meta.dirname,
  exclude: (path) => path === "node_modules",
}).filter((file) => needsOwnProcess.test(readFileSync(join(import.meta.dirname, file), "utf8")));

export default defineConfig({
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
  test: {
    restoreMocks: true,
    // These limits end what hangs. No test is judged by its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // One more than the cores of most machines: browsers and other processes are waited for.
    maxWorkers: 3,
    sequence: {
      sequencer: longestFirst([
        "commands/serve.test.ts",
        "chromium/browser.test.ts",
        "sqlite/store.test.ts",
        "firefox/browser.test.ts",
        "puppeteer/browsers.test.ts",
        "commands/send.test.ts",
        "server/src/killed.test.ts",
        "checks/run-step.test.mjs",
      ]),
    },
    projects: [
      // To start a process and to load Sineta there takes longer than most files do.
      {
        extends: true,
        test: { name: "one process", include: [all], exclude: own, isolate: false },
      },
      { extends: true, test: { name: "own process", include: own } },
    ],
  },
});
