import { randomBytes } from "node:crypto";
import type { Gcm } from "../gcm.ts";
import { none, openOpenSsl } from "./functions.ts";

const keyBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
/** EVP_CTRL_AEAD_GET_TAG (openssl/evp.h). */
const getTag = 0x10;
/** What a C `int` takes. */
const intBytes = 4;

/**
 * AES-128-GCM with one context that is used again and again. Null where that cannot be had (functions.ts), or does not
 * give what node:crypto gives.
 * @param longest bytes of the longest text that there is room for
 * @param otherwise asked where OpenSSL says no, and for a longer text
 */
export function opensslGcm(longest: number, otherwise: Gcm): Gcm | null {
  try {
    const gcm = prepare(longest, otherwise);
    return gcm !== null && isRight(gcm, otherwise) ? gcm : null;
  } catch {
    return null;
  }
}

function isRight(gcm: Gcm, otherwise: Gcm): boolean {
  const [key, nonce, text] = [randomBytes(keyBytes), randomBytes(nonceBytes), randomBytes(32)];
  const [one, other] = [gcm, otherwise].map((each) => {
    const into = Buffer.alloc(text.length + tagBytes);
    each(key, nonce, text, into);
    return into.toString("hex");
  });
  return one === other;
}

function prepare(longest: number, otherwise: Gcm): Gcm | null {
  // docs.openssl.org/3.5/man3/EVP_EncryptInit, "AEAD Interface"
  const openssl = openOpenSsl({
    EVP_CIPHER_CTX_new: { arguments: [], return: "pointer" },
    EVP_CIPHER_CTX_ctrl: { arguments: ["pointer", "int32", "int32", "pointer"], return: "int32" },
    EVP_aes_128_gcm: { arguments: [], return: "pointer" },
    EVP_EncryptInit_ex: {
      arguments: ["pointer", "pointer", "pointer", "pointer", "pointer"],
      return: "int32",
    },
    EVP_EncryptUpdate: {
      arguments: ["pointer", "pointer", "pointer", "pointer", "int32"],
      return: "int32",
    },
    EVP_EncryptFinal_ex: { arguments: ["pointer", "pointer", "pointer"], return: "int32" },
    ERR_clear_error: { arguments: [], return: "void" },
  });
  if (openssl === null) return null;
  const { functions, memory } = openssl;
  // It lives as long as the thread does.
  const context = functions.EVP_CIPHER_CTX_new();
  if (context === none) return null;
  const cipher = functions.EVP_aes_128_gcm();
  if (functions.EVP_EncryptInit_ex(context, cipher, none, none, none) !== 1) return null;
  const key = memory(keyBytes);
  const nonce = memory(nonceBytes);
  const text = memory(longest);
  const sealed = memory(longest + tagBytes);
  const written = memory(intBytes);

  function encrypt(length: number): boolean {
    const end = sealed.at + BigInt(length);
    return (
      functions.EVP_EncryptInit_ex(context, none, none, key.at, nonce.at) === 1 &&
      functions.EVP_EncryptUpdate(context, sealed.at, written.at, text.at, length) === 1 &&
      functions.EVP_EncryptFinal_ex(context, end, written.at) === 1 &&
      functions.EVP_CIPHER_CTX_ctrl(context, getTag, tagBytes, end) === 1
    );
  }

  return (givenKey, givenNonce, plaintext, into) => {
    const { length } = plaintext;
    const fits =
      givenKey.length === keyBytes && givenNonce.length === nonceBytes && length <= longest;
    if (fits) {
      key.bytes.set(givenKey);
      nonce.bytes.set(givenNonce);
      text.bytes.set(plaintext);
      if (encrypt(length)) {
        into.set(sealed.bytes.subarray(0, length + tagBytes));
        return;
      }
      functions.ERR_clear_error();
    }
    otherwise(givenKey, givenNonce, plaintext, into);
  };
}
