/** What of a page decides whether the bell can be there. A `Window` is one. */
export type Surroundings = {
  isSecureContext: boolean;
  location: { protocol: string };
  navigator: { userAgent: string; platform: string; maxTouchPoints: number };
};

/** Why there is no bell here, or why it cannot be turned on. */
export type BellObstacle = "insecure" | "loopback" | "apple" | "unsupported" | "denied";

/**
 * What keeps this browser from being notified; null if nothing is known to.
 * @param isOffered whether push messaging was initialised (`createMessaging` of @sineta/client)
 */
export function bellObstacle(
  page: Surroundings,
  { isOffered, permission }: { isOffered: boolean; permission: NotificationPermission | null },
): BellObstacle | null {
  if (isOffered) return permission === "denied" ? "denied" : null;
  if (!page.isSecureContext) return "insecure";
  const { userAgent, platform, maxTouchPoints } = page.navigator;
  // An iPad may present itself as a Mac; no Mac has a touch screen.
  if (/iPhone|iPad|iPod/.test(userAgent + platform)) return "apple";
  if (platform === "MacIntel" && maxTouchPoints > 1) return "apple";
  if (!("PushManager" in page) || !("Notification" in page)) return "unsupported";
  return page.location.protocol === "https:" ? "unsupported" : "loopback";
}
