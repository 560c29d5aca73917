import { randomBytes } from "node:crypto";
import { limits } from "@sineta/protocol/limits";
import { drawAhead } from "../secrets/draw-ahead.ts";
import { encodeOneRecord } from "./aes128gcm.ts";
import { decodeBase64url } from "./base64url.ts";
import { expand, extract } from "./hkdf.ts";
import { agreeOnSecret } from "./key-agreement.ts";
import { isPublicKey, publicKeyBytes, type KeyAgreement } from "./p256.ts";

/** What a browser gives with its subscription (RFC 8291, section 2). */
export type PushKeys = {
  /** Its public key: 65 bytes, an uncompressed point of P-256. */
  readonly p256dh: Uint8Array;
  /** Its authentication secret: 16 bytes. */
  readonly auth: Uint8Array;
};

/** Where each message gets what must never be used for a second one. */
export type SealRandom = {
  readonly agree: KeyAgreement;
  /** 16 bytes. */
  readonly salt: () => Uint8Array;
};

const authBytes = 16;
const saltBytes = 16;
const infoLabel = Buffer.from("WebPush: info\0");

/**
 * Encrypts a message for one subscription: the body of a push with `Content-Encoding: aes128gcm` (RFC 8291).
 * Every call makes its own ECDH key pair and salt, as RFC 8291, section 3.1 demands.
 * @param plaintext at most 3,993 bytes
 * @param keys of the right lengths, as `parsePushKeys` or `decodePushKeys` gives them
 * @returns 103 bytes more than the plaintext
 * @throws RangeError if the plaintext is too long; any Error if `p256dh` is no point of the curve
 */
export function seal(
  plaintext: Uint8Array,
  keys: PushKeys,
  random: SealRandom = systemRandom,
): Uint8Array {
  if (plaintext.length > limits.plaintextBytes) {
    throw new RangeError(`a plaintext has at most ${limits.plaintextBytes} bytes`);
  }
  const { publicKey, secret } = random.agree(keys.p256dh);
  const info = [infoLabel, keys.p256dh, publicKey];
  const inputKey = expand(extract(keys.auth, secret), info, 32);
  return encodeOneRecord(plaintext, { inputKey, salt: random.salt(), keyId: publicKey });
}

export type ParsedPushKeys =
  | { ok: true; keys: PushKeys }
  | {
      ok: false;
      /** The one that cannot be used. */
      key: "p256dh" | "auth";
      reason: string;
    };

/**
 * Reads and checks the keys of a subscription at registration: strict base64url, the right lengths, and a `p256dh`
 * that is a point of the curve.
 */
export function parsePushKeys(p256dh: string, auth: string): ParsedPushKeys {
  const decoded = decodePushKeys(p256dh, auth);
  if (!decoded.ok) return decoded;
  return isPublicKey(decoded.keys.p256dh)
    ? decoded
    : { ok: false, key: "p256dh", reason: "its point is not on the curve P-256" };
}

/** Like `parsePushKeys` but leaves the curve to `seal`, which meets it anyway: for keys that were checked once. */
export function decodePushKeys(p256dh: string, auth: string): ParsedPushKeys {
  const point = decodeBase64url(p256dh, publicKeyBytes);
  if (point === null) {
    return { ok: false, key: "p256dh", reason: reasonUndecoded(p256dh, publicKeyBytes) };
  }
  if (point[0] !== 0x04) {
    return {
      ok: false,
      key: "p256dh",
      reason: "it is not an uncompressed point: its first byte is not 0x04",
    };
  }
  const secret = decodeBase64url(auth, authBytes);
  if (secret === null) return { ok: false, key: "auth", reason: reasonUndecoded(auth, authBytes) };
  return { ok: true, keys: { p256dh: point, auth: secret } };
}

function reasonUndecoded(text: string, byteCount: number): string {
  const { length } = Buffer.from(text, "base64url");
  if (text.length === 2 * byteCount && /^[\da-f]+$/i.test(text)) {
    return "it is hexadecimal: expected base64url";
  }
  return /^[\w-]*$/.test(text) && length !== byteCount
    ? `it has ${length} bytes: expected ${byteCount}`
    : "it is not base64url";
}

const draw = drawAhead(randomBytes);

const systemRandom: SealRandom = { agree: agreeOnSecret, salt: () => draw(saltBytes) };
