import type { ActiveProject } from "../projects/project.ts";
import { receiptKey } from "../receipts/receipt-key.ts";
import type { Message, Recipient } from "../store/port.ts";
import { fastHmac } from "../webpush/hmac.ts";
import { printable, type Outcome } from "../webpush/outcome.ts";
import type { Push } from "../webpush/request.ts";
import type { Sender } from "../webpush/sender.ts";
import { payloadOf, type Payload } from "./payload.ts";

/** What of a recipient it takes to send a push. */
export type Addressee = Pick<
  Recipient,
  "endpoint" | "p256dh" | "auth" | "token" | "vapidKeyId" | "origin"
>;

/**
 * As `SendPush` (page.ts).
 * @param id by which the sender can withdraw it
 */
type SendPushTo = (
  message: Message,
  addressee: Addressee,
  endsAtMs: number,
  id?: number,
) => Promise<Outcome>;

/**
 * Sends to the push services: each recipient gets its origin's payload, with a receipt key of its own, under the VAPID
 * key it subscribed with.
 */
export function createPushSender({
  sender,
  project,
  now,
}: {
  sender: Pick<Sender, "send">;
  project: Pick<ActiveProject, "keys" | "receiptSecret">;
  now: () => number;
}): SendPushTo {
  const keyById = new Map(project.keys.all.map((key) => [key.id, key.keys]));
  /** A page has many recipients and few origins. */
  const payloads = new WeakMap<Message, Map<string, Payload>>();

  function payloadFor(message: Message, origin: string): Payload {
    let byOrigin = payloads.get(message);
    if (byOrigin === undefined) payloads.set(message, (byOrigin = new Map()));
    let payload = byOrigin.get(origin);
    if (payload === undefined) byOrigin.set(origin, (payload = payloadOf(message, origin)));
    return payload;
  }

  function pushOf(
    message: Message,
    addressee: Addressee,
    endsAtMs: number,
    id: number | undefined,
  ): Push | null {
    const vapidKey = keyById.get(addressee.vapidKeyId);
    if (vapidKey === undefined) return null;
    const payload = payloadFor(message, addressee.origin);
    const plaintext = message.withReceipts
      ? payload.withKey(receiptKey(project.receiptSecret, message.id, addressee.token, fastHmac))
      : payload.withoutKey();
    return {
      id,
      subscription: addressee,
      vapidKey,
      plaintext,
      ttlSeconds: Math.max(0, Math.ceil((endsAtMs - now()) / 1000)),
      urgency: message.urgency,
      ...(message.collapseKey === null ? {} : { topic: message.collapseKey }),
    };
  }

  return async (message, addressee, endsAtMs, id) => {
    try {
      const push = pushOf(message, addressee, endsAtMs, id);
      if (push === null) return unexpected("its VAPID key is not the project's");
      return await sender.send(push);
    } catch (error) {
      return unexpected(printable(String(error)));
    }
  };
}

function unexpected(detail: string): Outcome {
  return { kind: "failed", reason: "unexpected", detail };
}
