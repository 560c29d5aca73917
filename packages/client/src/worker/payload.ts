import type { PushPayload } from "@sineta/protocol";

/** The notification that a push carries; undefined for a push that is empty or not ours. */
export function readPayload(data: PushMessageData | null): PushPayload["notification"] | undefined {
  try {
    const payload: Partial<PushPayload> | null | undefined = data?.json();
    const notification = payload?.notification;
    const isOurs = typeof notification?.title === "string" && notification.data?.sineta?.messageId;
    return isOurs ? notification : undefined;
  } catch {
    return undefined;
  }
}
