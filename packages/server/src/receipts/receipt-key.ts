import { timingSafeEqual } from "node:crypto";
import type { Receipt } from "@sineta/protocol";
import { hmac, type Hmac } from "../secrets/hmac.ts";

const keyBytes = 16;

/**
 * What stands sealed in a push, so that whoever opened it can prove that: the first 16 bytes of
 * HMAC-SHA256(the project's receipt secret, "message id LF token"), base64url, 22 characters (truncated as RFC 2104,
 * section 5, allows). Nothing is stored for it.
 * @param by what makes the HMAC: whoever makes many has a faster one
 */
export function receiptKey(
  secret: Uint8Array,
  messageId: string,
  token: string,
  by: Hmac = hmac,
): string {
  return by(secret, [Buffer.from(`${messageId}\n${token}`)], keyBytes).toString("base64url");
}

/** Compares in constant time. A key has one spelling: 22 characters could spell its 16 bytes in 16 ways (RFC 4648, section 3.5). */
export function receiptKeyMatches(
  secret: Uint8Array,
  { messageId, token, key }: Pick<Receipt, "messageId" | "token" | "key">,
): boolean {
  const given = Buffer.from(key);
  const right = Buffer.from(receiptKey(secret, messageId, token));
  return given.length === right.length && timingSafeEqual(given, right);
}
