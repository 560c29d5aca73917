// Every public route, 10,000 requests or more each, most of them wrong; and as many push services that speak HTTP/2 in every
// wrong way. Takes some minutes.
// SINETA_FUZZ_CASES asks for another number; a failure names its seed.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { status } = spawnSync(
  "vitest",
  [
    "run",
    "packages/server/src/http/public-fuzz.test.ts",
    "packages/server/src/webpush/http2/session-fuzz.test.ts",
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: { SINETA_FUZZ_CASES: "10000", ...process.env },
    shell: process.platform === "win32",
  },
);
process.exit(status ?? 1);
