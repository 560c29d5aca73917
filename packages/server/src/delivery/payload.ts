import type { PushPayload } from "@sineta/protocol";
import type { NewMessage } from "../store/port.ts";

export type Payload = {
  /** Length, the same for every registration. */
  bytes: number;
  /** What is sealed for the registration that this receipt key (receipts/receipt-key.ts) belongs to. */
  withKey(receiptKey: string): Uint8Array;
};

/** As long as any. */
const placeholder = "A".repeat(22);

/**
 * What is sealed for the registrations of one origin: Declarative Web Push JSON, in UTF-8. Links are resolved against
 * the origin that they were made on, so that one message fits several sites. All of it but the receipt key is made
 * once: that is a tenth of what sealing takes.
 */
export function payloadOf(
  { id, notification }: Pick<NewMessage, "id" | "notification">,
  origin: string,
): Payload {
  const { title, body, link = "/", icon, actions = [] } = notification;
  const absolute = (address: string) => new URL(address, origin).href;
  const payload: PushPayload = {
    web_push: 8030,
    mutable: true,
    notification: {
      title,
      ...(body === undefined ? {} : { body }),
      navigate: absolute(link),
      tag: id,
      ...(icon === undefined ? {} : { icon: absolute(icon) }),
      ...(actions.length === 0
        ? {}
        : {
            actions: actions.map((each) => ({
              action: each.action,
              title: each.title,
              navigate: absolute(each.link ?? link),
            })),
          }),
      // Last, so that the last placeholder is the key's own, whatever an operator writes.
      data: { sineta: { messageId: id, receiptKey: placeholder } },
    },
  };
  const template = Buffer.from(JSON.stringify(payload));
  const keyAt = template.lastIndexOf(placeholder);
  return {
    bytes: template.length,
    withKey(receiptKey) {
      const bytes = Buffer.from(template);
      bytes.write(receiptKey, keyAt, "latin1");
      return bytes;
    },
  };
}
