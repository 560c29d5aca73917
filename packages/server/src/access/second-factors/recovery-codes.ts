import { generateGroups } from "../operators/generated-password.ts";
import { hashToken } from "../token.ts";

const codes = 10;
/** 80 bits: too many to try, so that a hash without salt or cost is enough to keep. */
const groups = 4;
const groupCharacters = 4;

/** New recovery codes, such as `7k3m-q9xa-0h2d-v5nw`, and what is kept of them. */
export function makeRecoveryCodes(randomBytes: (count: number) => Uint8Array): {
  recoveryCodes: string[];
  hashes: Uint8Array[];
} {
  const recoveryCodes = Array.from({ length: codes }, () =>
    generateGroups(randomBytes, { groups, groupCharacters }),
  );
  return { recoveryCodes, hashes: recoveryCodes.map((code) => hashToken(bare(code))) };
}

/** However somebody types it: in either case, with other gaps, with the letters that look like digits. */
export function hashRecoveryCode(typed: string): Uint8Array {
  return hashToken(bare(typed));
}

/** Crockford's base32, "Decode Symbol". */
function bare(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
}
