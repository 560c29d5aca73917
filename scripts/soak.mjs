// The faults in full: more registrations, more kills, rates beside each other. Takes an hour or so.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { status } = spawnSync(
  "vitest",
  ["run", "--config=soak/vitest.config.ts", ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, SINETA_SOAK: "1" },
    shell: process.platform === "win32",
  },
);
process.exit(status ?? 1);
