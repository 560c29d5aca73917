/** Runs in the benchmark's own network: `inside.ts SCENARIO [--short]`. Ends with 1 if a bound is broken. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCrowds, type CrowdsOptions } from "./crowd.ts";
import { measureHeld } from "./held.ts";
import { furnishOwnNetwork } from "./own-network.ts";

const crowd: Omit<CrowdsOptions, "kind" | "sizes"> = {
  honest: 2_000,
  rounds: 3,
  unknownMs: 100,
  // A name takes a twentieth of a second where two are looked up at a time.
  mostSeconds: { earlier: (attackers) => 30 + attackers / 10, measured: 120 },
  settleSeconds: 3,
  afterSeconds: 10,
  bound: 3,
  always: { lastMs: 0, p99Ms: 0 },
};

/** What a part of `npm test` can do: the same with fewer of everything, and a bound that a busy machine holds. */
const shortCrowd: Omit<CrowdsOptions, "kind" | "sizes"> = {
  honest: 400,
  rounds: 1,
  unknownMs: 10,
  mostSeconds: { earlier: () => 10, measured: 10 },
  settleSeconds: 0.5,
  afterSeconds: 1,
  bound: 10,
  always: { lastMs: 5_000, p99Ms: 500 },
};

const held = { registrations: 200_000, rounds: 5, mostSeconds: 300, leastShare: 0.95 };

const scenarios: Record<string, (folder: string) => Promise<boolean>> = {
  dead: (folder) => measureCrowds(folder, { ...crowd, kind: "dead", sizes: [1_000, 5_000] }),
  "dead --short": (folder) => measureCrowds(folder, { ...shortCrowd, kind: "dead", sizes: [200] }),
  "dead-at-once": (folder) =>
    measureCrowds(folder, { ...crowd, kind: "dead", sizes: [1_000, 5_000], unknownMs: 0 }),
  silent: (folder) => measureCrowds(folder, { ...crowd, kind: "silent", sizes: [300] }),
  held: (folder) => measureHeld(folder, held),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false } },
});
const name = `${positionals[0]}${values.short ? " --short" : ""}`;
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`no such scenario: ${name}`);
// Also if the benchmark was killed.
process.once("disconnect", () => process.exit(1));
furnishOwnNetwork(["11.0.0.1/24"]);
const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
try {
  if (!(await scenario(folder))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  process.disconnect?.();
}
