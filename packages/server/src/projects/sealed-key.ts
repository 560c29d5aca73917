import { createCipheriv, createDecipheriv } from "node:crypto";

/** Layout: version (1 byte), nonce (12), ciphertext, tag (16). */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals a private key with AES-256-GCM. The public key is authenticated with it, so that a sealed key cannot be
 * passed off as another key's.
 * @param secret 32 bytes
 * @param publicKey base64url
 * @param privateKey as vapid.ts exports it
 * @param randomBytes gives the nonce: 12 bytes that are never used twice with one secret
 */
export function sealPrivateKey(
  secret: Uint8Array,
  publicKey: string,
  privateKey: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(publicKey));
  return Buffer.concat([
    Buffer.of(version),
    nonce,
    cipher.update(privateKey),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Opens what `sealPrivateKey` made; null if the secret, the public key or a byte is not the same. */
export function openPrivateKey(
  secret: Uint8Array,
  publicKey: string,
  sealed: Uint8Array,
): Uint8Array | null {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) return null;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", secret, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(publicKey));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const body = sealed.subarray(1 + nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return null;
  }
}

function associatedData(publicKey: string): Buffer {
  return Buffer.from(`sineta vapid key v${version} ${publicKey}`);
}
