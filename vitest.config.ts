import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
  test: {
    include: ["{packages,apps,scripts,bench}/**/*.test.{ts,tsx,mjs}"],
    restoreMocks: true,
    // These limits end what hangs. No test is judged by its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    // By default one core is left to whoever watches: here nobody does.
    maxWorkers: "100%",
  },
});
