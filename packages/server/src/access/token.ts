import { sha256 } from "../secrets/sha256.ts";

const tokenBytes = 32;

/** A secret that somebody carries, and what is kept of it: SHA-256, since 32 random bytes need neither salt nor cost. */
export function makeToken(randomBytes: (count: number) => Uint8Array): {
  token: string;
  tokenHash: Uint8Array;
} {
  const token = Buffer.from(randomBytes(tokenBytes)).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Uint8Array {
  return sha256(token);
}
