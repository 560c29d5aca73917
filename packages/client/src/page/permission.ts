import { isNotAllowed, MessagingError } from "../errors.ts";

/**
 * The permission to notify; asks for it if that is open. A browser that refuses to ask has denied it.
 *
 * @throws MessagingError `subscribe-failed`
 */
export async function askPermission(): Promise<NotificationPermission> {
  try {
    return Notification.permission === "default"
      ? await Notification.requestPermission()
      : Notification.permission;
  } catch (cause) {
    if (isNotAllowed(cause)) return "denied";
    throw new MessagingError("subscribe-failed", { cause });
  }
}
