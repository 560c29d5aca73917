/** Runs in the benchmark's own network: `inside.ts SCENARIO`. Ends with 1 if a bound is broken. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const held = { registrations: 200_000, rounds: 5, mostSeconds: 300, leastShare: 0.95 };

const scenarios: Record<string, (folder: string) => Promise<boolean>> = {
  dead: (folder) => measureCrowds(folder, { ...crowd, kind: "dead", sizes: [1_000, 5_000] }),
  "dead-at-once": (folder) =>
    measureCrowds(folder, { ...crowd, kind: "dead", sizes: [1_000, 5_000], unknownMs: 0 }),
  silent: (folder) => measureCrowds(folder, { ...crowd, kind: "silent", sizes: [300] }),
  held: (folder) => measureHeld(folder, held),
};

const name = process.argv[2] ?? "";
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`no such scenario: ${name}`);
// Also if the benchmark was killed.
const leave = () => process.exit(1);
process.once("disconnect", leave);
furnishOwnNetwork(["11.0.0.1/24"]);
const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
try {
  if (!(await scenario(folder))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
  process.off("disconnect", leave);
  process.disconnect?.();
}
