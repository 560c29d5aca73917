import type { ActiveProject } from "../projects/project.ts";
import { receiptKey } from "../receipts/receipt-key.ts";
import type { Message } from "../store/port.ts";
import { printable, type Outcome } from "../webpush/outcome.ts";
import type { Sender } from "../webpush/sender.ts";
import type { SendPush } from "./page.ts";
import { payloadOf, type Payload } from "./payload.ts";

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
}): SendPush {
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

  async function send(...[message, recipient, endsAtMs]: Parameters<SendPush>): Promise<Outcome> {
    const vapidKey = keyById.get(recipient.vapidKeyId);
    if (vapidKey === undefined) return unexpected("its VAPID key is not the project's");
    const payload = payloadFor(message, recipient.origin);
    const plaintext = message.withReceipts
      ? payload.withKey(receiptKey(project.receiptSecret, message.id, recipient.token))
      : payload.withoutKey();
    return sender.send({
      subscription: recipient,
      vapidKey,
      plaintext,
      ttlSeconds: Math.max(0, Math.ceil((endsAtMs - now()) / 1000)),
      urgency: message.urgency,
      ...(message.collapseKey === null ? {} : { topic: message.collapseKey }),
    });
  }

  return async (message, recipient, endsAtMs) => {
    try {
      return await send(message, recipient, endsAtMs);
    } catch (error) {
      return unexpected(printable(String(error)));
    }
  };
}

function unexpected(detail: string): Outcome {
  return { kind: "failed", reason: "unexpected", detail };
}
