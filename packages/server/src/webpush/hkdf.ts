import { hmac as nodeHmac, type Hmac } from "../secrets/hmac.ts";
import { opensslHmac } from "./openssl/hmac.ts";

const firstCounter = Uint8Array.of(1);

let fastest: Hmac | undefined;

/** As fast as this Node can, which is found out at the first call: few threads ever seal. */
const hmac: Hmac = (key, message) => {
  fastest ??= opensslHmac(nodeHmac) ?? nodeHmac;
  return fastest(key, message);
};

/** HKDF-Extract with SHA-256 (RFC 5869, section 2.2): 32 bytes. */
export function extract(salt: Uint8Array, inputKey: Uint8Array): Uint8Array {
  return hmac(salt, [inputKey]);
}

/** HKDF-Expand with SHA-256 (RFC 5869, section 2.3), as far as one block reaches: at most 32 bytes. */
export function expand(
  key: Uint8Array,
  info: readonly Uint8Array[],
  byteCount: number,
): Uint8Array {
  return hmac(key, [...info, firstCounter]).subarray(0, byteCount);
}
