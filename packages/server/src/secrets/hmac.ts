import { hash } from "node:crypto";

/**
 * HMAC with SHA-256 (RFC 2104).
 * @param key at most 64 bytes
 * @param message its parts, at most 512 bytes together
 * @param byteCount how many of its 32 bytes are wanted, the first ones; all if not given
 * @throws RangeError if either is longer
 */
export type Hmac = (key: Uint8Array, message: readonly Uint8Array[], byteCount?: number) => Buffer;

const blockBytes = 64;
const mostMessageBytes = 512;
const innerPad = 0x36;
const outerPad = 0x5c;

export const hashBytes = 32;
/** Bytes of what is hashed first, at most. */
export const innerBytes = blockBytes + mostMessageBytes;
/** Bytes of what is hashed then. */
export const outerBytes = blockBytes + hashBytes;
/** Where the first hash belongs in what is hashed then. */
export const hashAt = blockBytes;

/**
 * Lays out what is hashed, all but the first hash.
 * @param inner of `innerBytes`
 * @param outer of `outerBytes`
 * @returns where `inner` ends
 */
export function layOut(
  key: Uint8Array,
  message: readonly Uint8Array[],
  inner: Uint8Array,
  outer: Uint8Array,
): number {
  if (key.length > blockBytes) throw new RangeError("a longer key would have to be hashed first");
  for (let index = 0; index < blockBytes; index += 1) {
    const byte = index < key.length ? (key[index] ?? 0) : 0;
    inner[index] = innerPad ^ byte;
    outer[index] = outerPad ^ byte;
  }
  let end = blockBytes;
  for (const part of message) {
    inner.set(part, end);
    end += part.length;
  }
  return end;
}

// Written anew by each call and read before it returns. Small buffers cost more to make than to hash.
const inner = Buffer.alloc(innerBytes);
const outer = Buffer.alloc(outerBytes);

/**
 * Out of two one-shot hashes: for inputs this small they cost half of `createHmac` or `hkdfSync`, since digests as hex are
 * cheaper to make than digests as buffers.
 */
export const hmac: Hmac = (key, message, byteCount = hashBytes) => {
  const end = layOut(key, message, inner, outer);
  outer.write(hash("sha256", inner.subarray(0, end), "hex"), hashAt, "hex");
  return Buffer.from(hash("sha256", outer, "hex"), "hex").subarray(0, byteCount);
};
