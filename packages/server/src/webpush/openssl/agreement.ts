import { diffieHellman, generateKeyPairSync } from "node:crypto";
import { curve, importPublicKey, publicKeyBytes, type KeyAgreement } from "../p256.ts";
import { none, openOpenSsl } from "./functions.ts";

/** NID_X9_62_prime256v1 (openssl/obj_mac.h). */
const p256 = 415;
const secretBytes = 32;
const pointerBytes = 8;

/**
 * ECDH with two keys that are used again and again. Null where that cannot be had (functions.ts), or does
 * not give what node:crypto gives.
 * @param otherwise asked where OpenSSL says no, as it does to what is no point: it says why
 */
export function opensslAgreement(otherwise: KeyAgreement): KeyAgreement | null {
  try {
    const agreement = prepare(otherwise);
    return agreement !== null && isRight(agreement) ? agreement : null;
  } catch {
    return null;
  }
}

/** Whether a browser would come to the same secret. */
function isRight(agreement: KeyAgreement): boolean {
  const browser = generateKeyPairSync("ec", {
    ...curve,
    publicKeyEncoding: { format: "raw-public" },
  });
  const { publicKey, secret } = agreement(browser.publicKey);
  return diffieHellman({
    privateKey: browser.privateKey,
    publicKey: importPublicKey(publicKey),
  }).equals(secret);
}

function prepare(otherwise: KeyAgreement): KeyAgreement | null {
  // docs.openssl.org/3.5/man3: EC_KEY_new, ERR_clear_error; openssl/ec.h. Node calls functions of up to three arguments faster.
  const openssl = openOpenSsl({
    EC_KEY_new_by_curve_name: { arguments: ["int32"], return: "pointer" },
    EC_KEY_generate_key: { arguments: ["pointer"], return: "int32" },
    EC_KEY_get0_public_key: { arguments: ["pointer"], return: "pointer" },
    o2i_ECPublicKey: { arguments: ["pointer", "pointer", "int64"], return: "pointer" },
    i2o_ECPublicKey: { arguments: ["pointer", "pointer"], return: "int32" },
    ECDH_compute_key: {
      arguments: ["pointer", "uint64", "pointer", "pointer", "pointer"],
      return: "int32",
    },
    ERR_clear_error: { arguments: [], return: "void" },
  });
  if (openssl === null) return null;
  const { functions, memory } = openssl;
  // These live as long as the thread does.
  const key = functions.EC_KEY_new_by_curve_name(p256);
  const peerKey = functions.EC_KEY_new_by_curve_name(p256);
  if (key === none || peerKey === none) return null;
  const peer = memory(publicKeyBytes);
  const publicKey = memory(publicKeyBytes);
  const secret = memory(secretBytes);
  const size = { key: BigInt(publicKeyBytes), secret: BigInt(secretBytes) };
  const pointerToPeerKey = pointer();
  pointerToPeerKey.setTo(peerKey);
  const cursor = pointer();

  /** A place for a pointer that OpenSSL reads, and moves on past what it has read or written. */
  function pointer(): { at: bigint; setTo: (to: bigint) => void } {
    const { bytes, at } = memory(pointerBytes);
    const value = new BigUint64Array(bytes.buffer, bytes.byteOffset, 1);
    return {
      at,
      setTo(to) {
        value[0] = to;
      },
    };
  }

  function agree(): boolean {
    cursor.setTo(peer.at);
    // It checks that the point is on the curve, whose cofactor is 1: there is nothing else that it could be.
    if (functions.o2i_ECPublicKey(pointerToPeerKey.at, cursor.at, size.key) === none) return false;
    if (functions.EC_KEY_generate_key(key) !== 1) return false;
    cursor.setTo(publicKey.at);
    if (functions.i2o_ECPublicKey(key, cursor.at) !== publicKeyBytes) return false;
    const point = functions.EC_KEY_get0_public_key(peerKey);
    return functions.ECDH_compute_key(secret.at, size.secret, point, key, none) === secretBytes;
  }

  return (given) => {
    if (given.length === publicKeyBytes) {
      peer.bytes.set(given);
      if (agree()) return { publicKey: publicKey.bytes, secret: secret.bytes };
      // What is left in the thread's queue of errors would be taken for one of the next TLS record.
      functions.ERR_clear_error();
    }
    return otherwise(given);
  };
}
