/**
 * The project's user key, as `sineta user-key` prints it and as the site's backend signs user tokens with it: text.
 * The key of HS256 are its UTF-8 bytes, so that nobody has to decode anything.
 * @param secret the project's secret for users, 32 bytes
 */
export function userKeyOf(secret: Uint8Array): string {
  return Buffer.from(secret).toString("base64url");
}
