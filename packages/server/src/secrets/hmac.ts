import { hash } from "node:crypto";

const blockBytes = 64;
const hashBytes = 32;
const mostMessageBytes = 512;
const innerPad = 0x36;
const outerPad = 0x5c;

// Written anew by each call and read before it returns. Small buffers cost more to make than to hash.
const inner = Buffer.alloc(blockBytes + mostMessageBytes);
const outer = Buffer.alloc(blockBytes + hashBytes);

/**
 * HMAC with SHA-256 (RFC 2104), out of two one-shot hashes: for inputs this small they cost half of `createHmac` or
 * `hkdfSync`, since digests as hex are cheaper to make than digests as buffers.
 * @param key at most 64 bytes
 * @param message its parts, at most 512 bytes together
 * @returns 32 bytes
 * @throws RangeError if either is longer
 */
export function hmac(key: Uint8Array, message: readonly Uint8Array[]): Buffer {
  if (key.length > blockBytes) throw new RangeError("a longer key would have to be hashed first");
  inner.fill(innerPad, 0, blockBytes);
  outer.fill(outerPad, 0, blockBytes);
  for (let index = 0; index < key.length; index += 1) {
    const byte = key[index] ?? 0;
    inner[index] = innerPad ^ byte;
    outer[index] = outerPad ^ byte;
  }
  let end = blockBytes;
  for (const part of message) {
    inner.set(part, end);
    end += part.length;
  }
  outer.write(hash("sha256", inner.subarray(0, end), "hex"), blockBytes, "hex");
  return Buffer.from(hash("sha256", outer, "hex"), "hex");
}
