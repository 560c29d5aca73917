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
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
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
    // Looks at what all the others have left.
    {
      name: "afterwards",
      testMatch: "afterwards/*.spec.ts",
      dependencies: ["chromium", "firefox"],
    },
  ],
});
