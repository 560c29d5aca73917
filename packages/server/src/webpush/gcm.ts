import { createCipheriv } from "node:crypto";
import { opensslGcm } from "./openssl/gcm.ts";

/**
 * AES-128-GCM (NIST SP 800-38D) without additional data.
 * @param key 16 bytes
 * @param nonce 12 bytes, never used twice with one key
 * @param into takes what is sealed and its tag: 16 bytes more than the text has
 */
export type Gcm = (
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  into: Uint8Array,
) => void;

export const gcmTagBytes = 16;

/** By what node:crypto documents. */
export const nodeGcm: Gcm = (key, nonce, plaintext, into) => {
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  into.set(cipher.update(plaintext));
  cipher.final();
  into.set(cipher.getAuthTag(), plaintext.length);
};

/** As long as any record of Web Push. */
const longest = 4096;

let fastest: Gcm | undefined;

/** As fast as this Node can, which is found out at the first call: few threads ever seal. */
export const sealWithGcm: Gcm = (key, nonce, plaintext, into) => {
  fastest ??= opensslGcm(longest, nodeGcm) ?? nodeGcm;
  fastest(key, nonce, plaintext, into);
};
