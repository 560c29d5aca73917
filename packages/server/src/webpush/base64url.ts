/**
 * Strict base64url (RFC 4648, section 5): no padding, no other alphabet, no stray bits at the end, so that one
 * value has one spelling.
 * @returns the bytes, or null unless the text stands for exactly so many
 */
export function decodeBase64url(text: string, byteCount: number): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === byteCount && bytes.toString("base64url") === text ? bytes : null;
}
