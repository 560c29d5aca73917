import { fileURLToPath } from "node:url";
import { runInOwnNetwork } from "./attackers/own-network.ts";
import type { Bench } from "./bench.ts";

const inside = fileURLToPath(new URL("attackers/inside.ts", import.meta.url));

function benchOf(scenario: string, name: string): Bench {
  return {
    name: `attackers: ${name}`,
    onlyLong: true,
    async run() {
      const code = await runInOwnNetwork(inside, [scenario]);
      return { passed: code === 0 };
    },
  };
}

/** What strangers' registrations at hosts below a vendor's wildcard cost everybody else, each against the same run without them. */
export const attackerBenches: readonly Bench[] = [
  benchOf("dead", "names that do not resolve, beside honest browsers"),
  benchOf("dead-at-once", "names that at once do not resolve, beside honest browsers"),
  benchOf("silent", "hosts that never answer, beside honest browsers"),
  benchOf("held", "a large host that answers 503, beside one that accepts"),
];
