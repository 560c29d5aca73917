import type { MessageRequest } from "@sineta/protocol";
import { linkAddress } from "@sineta/protocol/link";

/** As long as a message's id, and as its receipt key. */
const messageId = "0".repeat(36);
const receiptKey = "A".repeat(22);

/**
 * How many bytes the push takes, before it is sealed, as the server will count them (delivery/payload.ts); exactly, where
 * this page's origin is the longest that browsers were registered on.
 * @param origin links are resolved against
 */
export function plaintextBytes(
  { notification, data }: Pick<MessageRequest, "notification" | "data">,
  origin: string,
): number {
  const { title, link, icon, image, badge, tag = messageId, actions = [], ...rest } = notification;
  const addressOf = (text = "") => linkAddress(text, origin) ?? undefined;
  const navigate = addressOf(link) ?? `${origin}/`;
  const written = {
    title,
    navigate,
    tag,
    icon: addressOf(icon),
    image: addressOf(image),
    badge: addressOf(badge),
    ...rest,
    actions:
      actions.length === 0
        ? undefined
        : actions.map((each) => ({
            action: each.action,
            title: each.title,
            navigate: addressOf(each.link) ?? navigate,
          })),
    data: { ...data, sineta: { messageId, receiptKey } },
  };
  const payload = { web_push: 8030, mutable: true, notification: written };
  return new TextEncoder().encode(JSON.stringify(payload)).length;
}
