import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

/** The curve of RFC 8291 and RFC 8292, by the name that OpenSSL and so node:crypto give P-256. */
export const curve = { namedCurve: "prime256v1" } as const;

/** An uncompressed point: 0x04, x, y (SEC 1, section 2.3.3). */
export const publicKeyBytes = 65;
export const privateKeyBytes = 32;

/**
 * @param point 65 bytes
 * @throws if that is not a point of the curve
 */
export function importPublicKey(point: Uint8Array): KeyObject {
  return createPublicKey({ key: point, format: "raw-public", asymmetricKeyType: "ec", ...curve });
}

/**
 * @param scalar 32 bytes
 * @throws if that is 0, or not below the order of the curve
 */
export function importPrivateKey(scalar: Uint8Array): KeyObject {
  return createPrivateKey({
    key: scalar,
    format: "raw-private",
    asymmetricKeyType: "ec",
    ...curve,
  });
}

/**
 * The sender's side of ECDH for one message: makes a key pair that is used this once (RFC 8291, section 3.1) and agrees
 * with the browser's key on a secret.
 * @param peer the browser's public key, 65 bytes
 * @returns what is good until the next call: the key pair's public key (65 bytes) and the secret (32 bytes)
 * @throws if `peer` is no point of the curve
 */
export type KeyAgreement = (peer: Uint8Array) => { publicKey: Uint8Array; secret: Uint8Array };
