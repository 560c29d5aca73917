import { vi } from "vitest";

export const vapidKey = `B${"A".repeat(86)}`;

/** A fresh copy of the module: what a page load makes. */
export async function loadPage(options = {}) {
  vi.resetModules();
  const { createMessaging } = await import("../page/messaging.ts");
  const messaging = createMessaging({ vapidKey, ...options });
  if (!messaging) throw new Error("Messaging is not available");
  return messaging;
}
