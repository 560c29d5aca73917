import type { PushPayload } from "@sineta/protocol";
import type { NewMessage } from "../store/port.ts";

/**
 * What is sealed for one registration: Declarative Web Push JSON, in UTF-8. Links are resolved against the
 * origin that the registration was made on, so that one message fits several sites.
 */
export function payloadOf(
  { id, notification }: Pick<NewMessage, "id" | "notification">,
  origin: string,
): Uint8Array {
  const { title, body, link, icon } = notification;
  const payload: PushPayload = {
    web_push: 8030,
    mutable: true,
    notification: {
      title,
      ...(body === undefined ? {} : { body }),
      navigate: new URL(link ?? "/", origin).href,
      tag: id,
      ...(icon === undefined ? {} : { icon: new URL(icon, origin).href }),
      data: { sineta: { messageId: id } },
    },
  };
  return Buffer.from(JSON.stringify(payload));
}
