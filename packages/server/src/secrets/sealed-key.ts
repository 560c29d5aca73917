import { createCipheriv, createDecipheriv } from "node:crypto";

/** Layout: version (1 byte), nonce (12), ciphertext, tag (16). */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals a key with AES-256-GCM. What it is and whose is authenticated with it, so that a sealed key cannot be
 * passed off as another one.
 * @param secret 32 bytes
 * @param label what the key is and whose, such as `vapid key v1 BNc…`; never another text for the same key
 * @param randomBytes gives the nonce: 12 bytes that are never used twice with one secret
 */
export function sealKey(
  secret: Uint8Array,
  label: string,
  key: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(label));
  return Buffer.concat([
    Buffer.of(version),
    nonce,
    cipher.update(key),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/** Opens what `sealKey` made; null if the secret, the label or a byte is not the same. */
export function openSealedKey(
  secret: Uint8Array,
  label: string,
  sealed: Uint8Array,
): Uint8Array | null {
  if (sealed[0] !== version || sealed.length < 1 + nonceBytes + tagBytes) return null;
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", secret, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(label));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const body = sealed.subarray(1 + nonceBytes, -tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return null;
  }
}

function associatedData(label: string): Buffer {
  return Buffer.from(`sineta ${label}`);
}
