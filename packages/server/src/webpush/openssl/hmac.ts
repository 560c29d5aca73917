import { randomBytes } from "node:crypto";
import {
  hashAt,
  hashBytes,
  innerBytes,
  layOut,
  outerBytes,
  type Hmac,
} from "../../secrets/hmac.ts";
import { openOpenSsl } from "./functions.ts";

/** More than any SHA256_CTX has (openssl/sha.h: 112 bytes). */
const contextBytes = 256;

/**
 * HMAC with SHA-256, with one context that is used again and again. Null where that cannot be had (functions.ts), or does
 * not give what node:crypto gives.
 * @param otherwise what it has to give
 */
export function opensslHmac(otherwise: Hmac): Hmac | null {
  try {
    const hmac = prepare();
    return hmac !== null && isRight(hmac, otherwise) ? hmac : null;
  } catch {
    return null;
  }
}

function isRight(hmac: Hmac, otherwise: Hmac): boolean {
  const [key, message] = [randomBytes(32), [randomBytes(100), randomBytes(1)]];
  return hmac(key, message).equals(otherwise(key, message));
}

function prepare(): Hmac | null {
  // docs.openssl.org/3.5/man3/SHA256_Init: what is done here does not fail
  const openssl = openOpenSsl({
    SHA256_Init: { arguments: ["pointer"], return: "int32" },
    SHA256_Update: { arguments: ["pointer", "pointer", "uint64"], return: "int32" },
    SHA256_Final: { arguments: ["pointer", "pointer"], return: "int32" },
  });
  if (openssl === null) return null;
  const { functions, memory } = openssl;
  const context = memory(contextBytes);
  const inner = memory(innerBytes);
  const outer = memory(outerBytes);
  const hashed = memory(hashBytes);
  const innerHash = outer.at + BigInt(hashAt);
  const outerLength = BigInt(outerBytes);

  function hash(from: bigint, length: bigint, into: bigint): void {
    functions.SHA256_Init(context.at);
    functions.SHA256_Update(context.at, from, length);
    functions.SHA256_Final(into, context.at);
  }

  return (key, message, byteCount = hashBytes) => {
    const end = layOut(key, message, inner.bytes, outer.bytes);
    hash(inner.at, BigInt(end), innerHash);
    hash(outer.at, outerLength, hashed.at);
    const taken = Buffer.allocUnsafe(byteCount);
    hashed.bytes.copy(taken, 0, 0, byteCount);
    return taken;
  };
}
