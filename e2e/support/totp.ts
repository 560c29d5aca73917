import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an authenticator application shows now (RFC 6238). @param secret in base32 */
export function totpOf(secret: string, nowMs = Date.now()): string {
  const bits = Array.from(secret, (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  const key = Buffer.from(
    Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
      Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2),
    ),
  );
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const hash = createHmac("sha1", key).update(step).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0");
}
