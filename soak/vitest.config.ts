import { defineConfig } from "vitest/config";

/** Whole processes under load: one file after the other, so that none starves another. */
export default defineConfig({
  resolve: { conditions: ["source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60 * 60_000,
    hookTimeout: 120_000,
  },
});
