import type { Outcome } from "../outcome.ts";
import type { Push } from "../request.ts";
import { createSender, type Sender, type SenderOptions } from "../sender.ts";
import { generateVapidKeys, importVapidKeys } from "../vapid.ts";
import type { TestCertificates } from "./certificates.ts";
import { makeSubscription } from "./subscription.ts";

/** The host that test services play: a known one, so that nothing but the route is configured. */
export const playedHost = "fcm.googleapis.com";

export type TestSending = {
  readonly sender: Sender;
  readonly push: Push;
  readonly send: () => Promise<Outcome>;
  /** So many at once. */
  readonly sendMany: (count: number) => Promise<Outcome[]>;
};

const { publicKey, privateKey } = generateVapidKeys();
const vapidKey = importVapidKeys(publicKey, privateKey);
const { p256dh, auth } = makeSubscription();

/** A sender whose pushes for `playedHost` go to a port of loopback, and a push to send. */
export function sendTo(
  port: number,
  { ca }: Pick<TestCertificates, "ca">,
  options: Partial<SenderOptions> = {},
): TestSending {
  const sender = createSender({
    policy: {
      hosts: [],
      routes: [{ host: playedHost, port: 443, address: "127.0.0.1", addressPort: port }],
    },
    subject: "mailto:ops@example.com",
    ca,
    ...options,
  });
  const push: Push = {
    subscription: { endpoint: `https://${playedHost}/fcm/send/1`, p256dh, auth },
    vapidKey,
    plaintext: Buffer.from("hello"),
    ttlSeconds: 60,
  };
  const send = (): Promise<Outcome> => sender.send(push);
  return {
    sender,
    push,
    send,
    sendMany: (count) => Promise.all(Array.from({ length: count }, send)),
  };
}
