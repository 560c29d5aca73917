import { hint } from "./hint.ts";
import { isLoopback } from "./loopback.ts";

/** What of a page decides whether push can be offered there. A `Window` is one. */
export type Surroundings = {
  isSecureContext: boolean;
  location: { protocol: string; hostname: string };
  navigator: { userAgent: string; platform: string; maxTouchPoints: number };
};

/** What decides, beside the page, whether push messaging is offered. */
export type Offer = {
  /** The public VAPID key that tokens are asked for with, base64url. */
  vapidKey: string;
  /** Let `http://localhost` and its kin count as secure, for development. Default: false. */
  allowLoopback?: boolean | undefined;
};

/** Why push messaging is not offered on a page. */
export type Obstacle = "no-vapid-key" | "not-https" | "apple-handheld" | "unsupported";

/** Whether push messaging is offered here: not on a server, not without a key, and not where the page forbids it. */
export function canOfferPush(offer: Offer): boolean {
  if (typeof window === "undefined") return false;
  const obstacle = obstacleOn(window, offer);
  // An explicit `allowLoopback: false` was decided, not forgotten.
  if (obstacle && !(obstacle === "not-https" && offer.allowLoopback === false)) {
    hint(({ sayNoBell }) => sayNoBell(obstacle));
  }
  return obstacle === null;
}

/**
 * Why push messaging may not be initialised on this page, or null. It may on a secure https page (or, if
 * `allowLoopback`, one of the loopback names), not in an iPhone's, iPad's or iPod's browser, and with a key and
 * everything push needs.
 */
export function obstacleOn(
  page: Surroundings,
  { vapidKey, allowLoopback = false }: Offer,
): Obstacle | null {
  const { location, navigator } = page;
  if (!vapidKey) return "no-vapid-key";
  if (isAppleHandheld(navigator)) return "apple-handheld";
  if (location.protocol !== "https:" && !(allowLoopback && isLoopback(location.hostname))) {
    return "not-https";
  }
  const isSupported =
    page.isSecureContext &&
    "serviceWorker" in navigator &&
    "PushManager" in page &&
    "Notification" in page;
  return isSupported ? null : "unsupported";
}

/** An iPad may present itself as a Mac; no Mac has a touch screen. */
function isAppleHandheld({ userAgent, platform, maxTouchPoints }: Surroundings["navigator"]) {
  return (
    /iPhone|iPad|iPod/.test(userAgent + platform) || (platform === "MacIntel" && maxTouchPoints > 1)
  );
}
