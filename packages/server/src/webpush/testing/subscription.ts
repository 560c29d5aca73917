import { createECDH, randomBytes } from "node:crypto";
import ece from "http_ece";

/** A browser's side of a subscription, opened by an implementation that is not ours. */
export type TestSubscription = {
  readonly p256dh: string;
  readonly auth: string;
  readonly open: (body: Uint8Array) => Buffer;
};

export function makeSubscription(): TestSubscription {
  const keys = createECDH("prime256v1");
  const p256dh = keys.generateKeys("base64url");
  const authSecret = randomBytes(16);
  return {
    p256dh,
    auth: authSecret.toString("base64url"),
    open: (body) =>
      ece.decrypt(Buffer.from(body), { version: "aes128gcm", privateKey: keys, authSecret }),
  };
}
