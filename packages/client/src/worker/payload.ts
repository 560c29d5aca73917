import type { PushPayload } from "@sineta/protocol";
import { texts } from "./texts.ts";

type Payload = Pick<PushPayload, "notification">;

/**
 * What a push carries. Browsers demand that every push shows something, so one that is empty or not ours gets a
 * plain notification that leads to the site's start page.
 */
export function readPayload(data: PushMessageData | null, scope: string): Payload["notification"] {
  const stranger = {
    title: texts.unreadable,
    navigate: new URL("/", scope).href,
    tag: "",
    data: { sineta: { messageId: "" } },
  };
  try {
    const payload: Partial<Payload> | null | undefined = data?.json();
    const notification = payload?.notification;
    const isOurs = typeof notification?.title === "string" && notification.data?.sineta?.messageId;
    return isOurs ? notification : stranger;
  } catch {
    return stranger;
  }
}
