/**
 * ECDH by OpenSSL's own functions for P-256, which Node carries and shows to addons. node:crypto makes a handful of
 * objects for each message around the same arithmetic; here one key and one point are used again and again, which takes
 * half of the time (docs/decisions/0017).
 */
import { diffieHellman, generateKeyPairSync, getFips } from "node:crypto";
import { curve, importPublicKey, publicKeyBytes, type KeyAgreement } from "./p256.ts";

/** Where `size_t` has 64 bits, and this has been thought of. */
const architectures: readonly string[] = ["x64", "arm64"];

/** NID_X9_62_prime256v1 (openssl/obj_mac.h). */
const p256 = 415;
/** POINT_CONVERSION_UNCOMPRESSED (openssl/ec.h). */
const uncompressed = 4;
const secretBytes = 32;
/** A pointer, or a struct that is not needed. */
const none = 0n;

/**
 * Null where it cannot be had: without node:ffi, which is experimental and can be turned off
 * (`--no-experimental-ffi`); where OpenSSL does not have these functions (it calls them deprecated); in FIPS mode, which
 * they pass by.
 * @param otherwise asked where these functions say no, as they do to what is no point: it says why
 */
export function opensslAgreement(otherwise: KeyAgreement): KeyAgreement | null {
  if (!architectures.includes(process.arch) || getFips() !== 0) return null;
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
  const ffi = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) return null;
  // https://docs.openssl.org/3.5/man3/EC_KEY_new/, EC_POINT_new/, EC_POINT_add/ and ERR_clear_error/; openssl/ec.h
  const { functions: openssl } = ffi.dlopen(null, {
    EC_KEY_new_by_curve_name: { arguments: ["int32"], return: "pointer" },
    EC_KEY_get0_group: { arguments: ["pointer"], return: "pointer" },
    EC_KEY_generate_key: { arguments: ["pointer"], return: "int32" },
    EC_KEY_get0_public_key: { arguments: ["pointer"], return: "pointer" },
    EC_POINT_new: { arguments: ["pointer"], return: "pointer" },
    EC_POINT_oct2point: {
      arguments: ["pointer", "pointer", "pointer", "uint64", "pointer"],
      return: "int32",
    },
    EC_POINT_point2oct: {
      arguments: ["pointer", "pointer", "int32", "pointer", "uint64", "pointer"],
      return: "uint64",
    },
    ECDH_compute_key: {
      arguments: ["pointer", "uint64", "pointer", "pointer", "pointer"],
      return: "int32",
    },
    ERR_clear_error: { arguments: [], return: "void" },
  });
  // These live as long as the thread does.
  const key = openssl.EC_KEY_new_by_curve_name(p256);
  if (key === none) return null;
  const group = openssl.EC_KEY_get0_group(key);
  const point = openssl.EC_POINT_new(group);
  if (point === none) return null;
  // OpenSSL reads and writes nothing else of ours. Buffers of their own: those of a pool share their memory.
  const peer = Buffer.allocUnsafeSlow(publicKeyBytes);
  const publicKey = Buffer.allocUnsafeSlow(publicKeyBytes);
  const secret = Buffer.allocUnsafeSlow(secretBytes);
  const at = {
    peer: ffi.getRawPointer(peer),
    publicKey: ffi.getRawPointer(publicKey),
    secret: ffi.getRawPointer(secret),
  };
  const size = { key: BigInt(publicKeyBytes), secret: BigInt(secretBytes) };

  function agree(): boolean {
    return (
      // It checks that the point is on the curve, whose cofactor is 1: there is nothing else that it could be.
      openssl.EC_POINT_oct2point(group, point, at.peer, size.key, none) === 1 &&
      openssl.EC_KEY_generate_key(key) === 1 &&
      openssl.EC_POINT_point2oct(
        group,
        openssl.EC_KEY_get0_public_key(key),
        uncompressed,
        at.publicKey,
        size.key,
        none,
      ) === size.key &&
      openssl.ECDH_compute_key(at.secret, size.secret, point, key, none) === secretBytes
    );
  }

  return (given) => {
    if (given.length === publicKeyBytes) {
      peer.set(given);
      if (agree()) return { publicKey, secret };
      // What is left in the thread's queue of errors would be taken for one of the next TLS record.
      openssl.ERR_clear_error();
    }
    return otherwise(given);
  };
}
