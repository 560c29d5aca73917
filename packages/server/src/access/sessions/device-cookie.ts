import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** What a cookie is bound to: a new password ends it. */
type Account = { id: number; passwordHash: string };

/**
 * Marks of browsers from which somebody has logged in before (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"): `id.HMAC-SHA256(key, "operator LF id LF password hash")`, both base64url. It lets nobody in; it only has
 * attempts counted apart from those of strangers.
 */
export type DeviceCookies = {
  make(account: Account): string;
  /** The device's id; null if it is not one of this account's. */
  read(cookie: string, account: Account): string | null;
};

const idBytes = 16;

/** @param secret 32 bytes that stay the same when the server starts again */
export function createDeviceCookies({
  secret,
  randomBytes,
}: {
  secret: Uint8Array;
  randomBytes: (count: number) => Uint8Array;
}): DeviceCookies {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "sineta device cookies", 32));

  function sign(device: string, { id, passwordHash }: Account): Buffer {
    return createHmac("sha256", key).update(`${id}\n${device}\n${passwordHash}`).digest();
  }

  return {
    make(account) {
      const device = Buffer.from(randomBytes(idBytes)).toString("base64url");
      return `${device}.${sign(device, account).toString("base64url")}`;
    },
    read(cookie, account) {
      const [, device, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
      if (device === undefined || signature === undefined) return null;
      const given = Buffer.from(signature, "base64url");
      const right = sign(device, account);
      return given.length === right.length && timingSafeEqual(given, right) ? device : null;
    },
  };
}
