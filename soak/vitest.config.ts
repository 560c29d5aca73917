import { defineConfig } from "vitest/config";
import { longestFirst } from "../scripts/longest-first.ts";
import { isSoak } from "./support/scale.ts";

/** They compare times: of a server that is left alone, and of the same one in a fault. */
const measuring = ["flood.test.ts", "neighbours.test.ts"];

/**
 * Whole processes under load. In the short form three files run at a time, since faults are mostly waited for. What
 * measures runs alone, and so does everything in the long form.
 */
export default defineConfig({
  resolve: { conditions: ["source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["source", "module", "node", "development|production"] } },
  test: {
    root: import.meta.dirname,
    testTimeout: 60 * 60_000,
    hookTimeout: 120_000,
    maxWorkers: isSoak ? 1 : 3,
    sequence: {
      sequencer: longestFirst([
        "brought-keys.test.ts",
        "misbehaviour.test.ts",
        "wrong-key.test.ts",
      ]),
    },
    projects: [
      {
        extends: true,
        test: {
          name: "side by side",
          include: ["**/*.test.ts"],
          exclude: measuring,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "alone", include: measuring, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
