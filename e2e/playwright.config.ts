import { defineConfig } from "@playwright/test";
import type { Engine } from "./support/browsers/port.ts";

export default defineConfig<object, { engine: Engine }>({
  testDir: ".",
  globalSetup: "./support/empty-kept-logs.ts",
  testMatch: "**/*.spec.ts",
  outputDir: "./test-results",
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  // Two browsers at a time are what two cores can drive.
  workers: 2,
  // Also the tests of one file, so that no long file is left over at the end.
  fullyParallel: true,
  forbidOnly: true,
  // A failed test runs once more, alone, when all others are over (docs/decisions/0022-a-second-look.md).
  retries: 1,
  retryStrategy: "isolated",
  // Nothing is judged by its time: these only end what would never end by itself.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: { actionTimeout: 15_000 },
  projects: [
    { name: "chromium", use: { engine: "chromium" }, testIgnore: ["firefox/**", "afterwards/**"] },
    {
      name: "firefox",
      use: { engine: "firefox" },
      testMatch: ["scenarios/*.spec.ts", "firefox/*.spec.ts"],
    },
    // Reads the logs of all other projects. `npm test` runs it as a step of its own, whatever failed before.
    {
      name: "afterwards",
      testMatch: "afterwards/*.spec.ts",
      retries: 0,
      dependencies: ["chromium", "firefox"],
    },
  ],
});
