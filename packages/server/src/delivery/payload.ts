import type { PushPayload } from "@sineta/protocol";
import { linkAddress } from "@sineta/protocol/link";
import type { NewMessage } from "../store/port.ts";

export type Payload = {
  /** Length, the same for every registration. */
  bytes: number;
  /** What is sealed for the registration that this receipt key (receipts/receipt-key.ts) belongs to. */
  withKey(receiptKey: string): Uint8Array;
  /** What is sealed where no receipt is wanted: without a key the browser reports nothing. */
  withoutKey(): Uint8Array;
};

/** JSON leaves out what is undefined. */
type Written = {
  [Part in keyof PushPayload["notification"]]: PushPayload["notification"][Part] | undefined;
};

/** As long as any. */
const placeholder = "A".repeat(22);

/**
 * What is sealed for the registrations of one origin: Declarative Web Push JSON, in UTF-8. Links are resolved against
 * the origin that they were made on, so that one message fits several sites. All of it but the receipt key is made
 * once: that is a tenth of what sealing takes.
 */
export function payloadOf(
  { id, notification, data }: Pick<NewMessage, "id" | "notification" | "data">,
  origin: string,
): Payload {
  const { title, link, icon, image, badge, tag = id, actions = [], ...rest } = notification;
  // An earlier version accepted links that this one refuses: they are left out.
  const addressOf = (text = "") => linkAddress(text, origin) ?? undefined;
  const navigate = addressOf(link) ?? `${origin}/`;
  const written: Written = {
    title,
    navigate,
    tag,
    icon: addressOf(icon),
    image: addressOf(image),
    badge: addressOf(badge),
    // As the operator wrote it: body, renotify, silent, requireInteraction, lang, dir, timestamp.
    ...rest,
    actions:
      actions.length === 0
        ? undefined
        : actions.map((each) => ({
            action: each.action,
            title: each.title,
            navigate: addressOf(each.link) ?? navigate,
          })),
    // Last, and ours last in it, so that the last placeholder is the key's own, whatever an operator writes.
    data: { ...data, sineta: { messageId: id, receiptKey: placeholder } },
  };
  const payload = { web_push: 8030, mutable: true, notification: written };
  const template = Buffer.from(JSON.stringify(payload));
  const keyAt = template.lastIndexOf(placeholder);
  return {
    bytes: template.length,
    withKey(receiptKey) {
      const bytes = Buffer.from(template);
      bytes.write(receiptKey, keyAt, "latin1");
      return bytes;
    },
    withoutKey: () =>
      Buffer.concat([template.subarray(0, keyAt), template.subarray(keyAt + placeholder.length)]),
  };
}
