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

/** The field's prime, and b of y² = x³ - 3x + b (SP 800-186, section 3.2.1.3). */
const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b = 0x5ac635d8_aa3a93e7_b3ebbd55_769886bc_651d06b0_cc53b0f6_3bce3c3e_27d2604bn;

/**
 * Whether an uncompressed point is a public key: both coordinates in the field, and on the curve (SEC 1, section
 * 3.2.2.1; the cofactor is 1, so no point of the curve is of another group). It says what `importPublicKey` says at a tenth of
 * the cost. Its time depends on the point, so it is for what is no secret.
 */
export function isPublicKey(point: Uint8Array): boolean {
  if (point.length !== publicKeyBytes || point[0] !== 0x04) return false;
  const hex = Buffer.from(point.buffer, point.byteOffset, point.length).toString("hex");
  const x = BigInt(`0x${hex.slice(2, 66)}`);
  const y = BigInt(`0x${hex.slice(66)}`);
  if (x >= prime || y >= prime) return false;
  return (y * y - (x * x - 3n) * x - b) % prime === 0n;
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
