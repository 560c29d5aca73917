import type { Config } from "../config.ts";
import type { VapidKeyRing } from "../projects/vapid-keys.ts";
import type { Message } from "../store/port.ts";
import { createSender, type Sender } from "../webpush/sender.ts";
import type { SendPush } from "./page.ts";
import { payloadOf } from "./payload.ts";

/** Sends to the push services: each recipient gets its origin's payload under the key it subscribed with. */
export function createPushSender({
  config,
  keys,
  closeMs,
}: {
  config: Pick<Config, "pushHosts" | "pushRoutes" | "vapidSubject">;
  keys: VapidKeyRing;
  /** How long `close` lets pushes under way end by themselves. */
  closeMs: number;
}): { send: SendPush; close: Sender["close"] } {
  const sender = createSender({
    policy: { hosts: config.pushHosts, routes: config.pushRoutes },
    subject: config.vapidSubject,
    deadlines: { closeMs },
  });
  const keyById = new Map(keys.all.map((key) => [key.id, key.keys]));
  /** A page has many recipients and few origins. */
  const payloads = new WeakMap<Message, Map<string, Uint8Array>>();

  function payloadFor(message: Message, origin: string): Uint8Array {
    let byOrigin = payloads.get(message);
    if (byOrigin === undefined) payloads.set(message, (byOrigin = new Map()));
    let payload = byOrigin.get(origin);
    if (payload === undefined) byOrigin.set(origin, (payload = payloadOf(message, origin)));
    return payload;
  }

  return {
    async send(message, recipient) {
      const vapidKey = keyById.get(recipient.vapidKeyId);
      if (vapidKey === undefined) {
        return {
          kind: "failed",
          reason: "unexpected",
          detail: "its VAPID key is not the project's",
        };
      }
      const endsAtMs = message.scheduledAtMs + message.ttlSeconds * 1000;
      return sender.send({
        subscription: recipient,
        vapidKey,
        plaintext: payloadFor(message, recipient.origin),
        ttlSeconds: Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)),
        urgency: message.urgency,
      });
    },
    close: () => sender.close(),
  };
}
