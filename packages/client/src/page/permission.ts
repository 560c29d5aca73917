import { failingAs } from "../errors.ts";

/**
 * The permission to notify; asks for it if that is open. If the browser refuses to ask, `isNotAllowed` holds for the error.
 *
 * @throws MessagingError `subscribe-failed`
 */
export function askPermission(): Promise<NotificationPermission> {
  return failingAs("subscribe-failed", async () =>
    Notification.permission === "default"
      ? Notification.requestPermission()
      : Notification.permission,
  );
}
