import { timingSafeEqual } from "node:crypto";
import { sha256 } from "../secrets/sha256.ts";

/** What is kept of a client secret: SHA-256. The secret is 32 random bytes, so it needs no salt and no work factor. */
export function hashClientSecret(secret: string): Uint8Array {
  return sha256(secret);
}

/** Compares in constant time; a registration that has no secret any more matches none. */
export function clientSecretMatches(hash: Uint8Array | null, given: Uint8Array): boolean {
  return hash !== null && hash.length === given.length && timingSafeEqual(hash, given);
}
