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

/** Whether push messaging is offered here: not on a server, not without a key, and not where the page forbids it. */
export function canOfferPush(offer: Offer): boolean {
  if (typeof window === "undefined") return false;
  const isOffered = isOfferedOn(window, offer);
  if (!isOffered) hint((hints) => hints.sayNoBell(offer));
  return isOffered;
}

/**
 * Whether push messaging may be initialised on this page. It may on a secure https page (or, if `allowLoopback`, one of
 * the loopback names), not in an iPhone's, iPad's or iPod's browser, and with a key and everything push needs.
 */
export function isOfferedOn(page: Surroundings, { vapidKey, allowLoopback }: Offer): boolean {
  const { location, navigator } = page;
  return (
    !!vapidKey &&
    (location.protocol === "https:" || (!!allowLoopback && isLoopback(location.hostname))) &&
    !isAppleHandheld(navigator) &&
    page.isSecureContext &&
    "serviceWorker" in navigator &&
    "PushManager" in page &&
    "Notification" in page
  );
}

/** An iPad may present itself as a Mac; no Mac has a touch screen. */
function isAppleHandheld({ userAgent, platform, maxTouchPoints }: Surroundings["navigator"]) {
  return (
    /iP(hone|ad|od)/.test(userAgent + platform) || (platform === "MacIntel" && maxTouchPoints > 1)
  );
}
