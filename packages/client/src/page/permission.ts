import { isNotAllowed } from "../errors.ts";

/** The permission to notify; asks for it if that is open. A browser that refuses to ask has denied it. */
export async function askPermission(): Promise<NotificationPermission> {
  try {
    return Notification.permission === "default"
      ? await Notification.requestPermission()
      : Notification.permission;
  } catch (error) {
    if (isNotAllowed(error)) return "denied";
    throw error;
  }
}
