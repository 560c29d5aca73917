import { hmac } from "./hmac.ts";

const label = Buffer.from("sineta secret fingerprint v1");
const fingerprintBytes = 4;

/**
 * Eight characters by which an operator tells one secret from another. They give nothing of the secret away.
 * @param key the 32 bytes that stored keys are sealed with
 */
export function fingerprintOf(key: Uint8Array): string {
  return hmac(key, [label], fingerprintBytes).toString("hex");
}
