import type { DoctorFinding } from "@sineta/protocol";
import type { Config } from "../config.ts";
import { fingerprintOf } from "../secrets/fingerprint.ts";
import { possibleKeys } from "../secrets/fitting-key.ts";
import { finding } from "./finding.ts";

/** Names the secret. To be called once the project's keys have opened with it. @throws CommandError as `possibleKeys` */
export function secretThatFits(config: Pick<Config, "dataFolder" | "secret">): DoctorFinding {
  const [key] = possibleKeys(config);
  return finding("secret-fits", null, key === undefined ? null : fingerprintOf(key));
}
