import { fastHmac } from "./hmac.ts";

const firstCounter = Uint8Array.of(1);

/** HKDF-Extract with SHA-256 (RFC 5869, section 2.2): 32 bytes. */
export function extract(salt: Uint8Array, inputKey: Uint8Array): Uint8Array {
  return fastHmac(salt, [inputKey]);
}

/** HKDF-Expand with SHA-256 (RFC 5869, section 2.3), as far as one block reaches: at most 32 bytes. */
export function expand(
  key: Uint8Array,
  info: readonly Uint8Array[],
  byteCount: number,
): Uint8Array {
  return fastHmac(key, [...info, firstCounter], byteCount);
}
