import { gcmTagBytes, sealWithGcm } from "./gcm.ts";
import { expand, extract } from "./hkdf.ts";

/** What a body in aes128gcm says of itself first (RFC 8188, section 2.1): salt, record size, length of the key id. */
const saltBytes = 16;
const fixedHeaderBytes = saltBytes + 4 + 1;

const recordSizeBytes = 4096;
/** Closes the plaintext of the last record (RFC 8188, section 2). No padding follows. */
const lastRecordDelimiter = 2;

const keyInfo = Buffer.from("Content-Encoding: aes128gcm\0");
const nonceInfo = Buffer.from("Content-Encoding: nonce\0");

/**
 * Encodes a body in aes128gcm as one record (RFC 8188).
 * @param plaintext at most 4,079 bytes: with delimiter and tag it has to fit into the record size
 * @param inputKey input keying material, any length
 * @param salt 16 bytes, never used twice with one key
 * @param keyId at most 255 bytes; in Web Push the sender's public key
 */
export function encodeOneRecord(
  plaintext: Uint8Array,
  { inputKey, salt, keyId }: { inputKey: Uint8Array; salt: Uint8Array; keyId: Uint8Array },
): Uint8Array {
  const { key, nonce } = deriveContentKeys(inputKey, salt);
  const headerBytes = fixedHeaderBytes + keyId.length;
  const recordBytes = plaintext.length + 1 + gcmTagBytes;
  if (recordBytes > recordSizeBytes) throw new RangeError("the plaintext does not fit one record");

  const record = Buffer.allocUnsafe(plaintext.length + 1);
  record.set(plaintext);
  record[plaintext.length] = lastRecordDelimiter;

  const body = Buffer.allocUnsafe(headerBytes + recordBytes);
  body.set(salt);
  body.writeUInt32BE(recordSizeBytes, saltBytes);
  body[fixedHeaderBytes - 1] = keyId.length;
  body.set(keyId, fixedHeaderBytes);
  // The record's sequence number is 0: the nonce goes in as it was derived (RFC 8188, section 2.3).
  sealWithGcm(key, nonce, record, body.subarray(headerBytes));
  return body;
}

/** The content-encryption key (16 bytes) and the nonce (12 bytes) of RFC 8188, sections 2.2 and 2.3. */
export function deriveContentKeys(
  inputKey: Uint8Array,
  salt: Uint8Array,
): { key: Uint8Array; nonce: Uint8Array } {
  const pseudorandomKey = extract(salt, inputKey);
  return {
    key: expand(pseudorandomKey, [keyInfo], 16),
    nonce: expand(pseudorandomKey, [nonceInfo], 12),
  };
}
