import { hint } from "./hint.ts";
import { isLoopback } from "./loopback.ts";

/** What of a page decides whether push can be offered there. A `Window` is one. */
export type Surroundings = {
  isSecureContext: boolean;
  /** `"null"` on a sandboxed page (HTML standard, "opaque origin"). The browser keeps no worker for such a page. */
  origin: string;
  location: { protocol: string; hostname: string };
  PushManager?: unknown;
  Notification?: unknown;
  navigator: {
    userAgent: string;
    platform: string;
    maxTouchPoints: number;
    /** Apple's own: whether the page runs as a web app from the Home Screen. */
    standalone?: boolean;
    serviceWorker?: unknown;
  };
};

/** What decides, beside the page, whether push messaging is offered. */
export type Offer = {
  /** The public VAPID key that tokens are asked for with, base64url. */
  vapidKey: string;
  /** Let `http://localhost` and its kin count as secure, for development. Default: false. */
  allowLoopback?: boolean | undefined;
  /**
   * `"home-screen"` also offers push in an iPhone, iPad or iPod where the visitor has put the site on the Home Screen and
   * opened it from there (iOS 16.4 and later). Default: never in an iPhone, iPad or iPod.
   */
  appleDevices?: "home-screen" | undefined;
};

/** Whether push messaging is offered here: not on a server, not without a key, and not where the page forbids it. */
export function canOfferPush(offer: Offer): boolean {
  // Some libraries give a server a `window` without them.
  if (!(globalThis.window?.location && window.navigator)) return false;
  if (isOfferedOn(window, offer)) return true;
  hint((hints) => hints.sayNoBell(offer));
  return false;
}

/**
 * Whether push messaging may be initialised on this page. It may on a secure https page (or, if `allowLoopback`, one of
 * the loopback names), not in an iPhone's, iPad's or iPod's browser (but, if `appleDevices`, from its Home Screen), and
 * with a key and everything push needs.
 */
export function isOfferedOn(
  page: Surroundings,
  { vapidKey, allowLoopback, appleDevices }: Offer,
): boolean {
  const { location, navigator } = page;
  return (
    typeof vapidKey === "string" &&
    !!vapidKey &&
    (location.protocol === "https:" || (!!allowLoopback && isLoopback(location.hostname))) &&
    // Before iOS 16.4 a page from the Home Screen has no PushManager.
    !(isAppleHandheld(navigator) && !(appleDevices && navigator.standalone)) &&
    page.isSecureContext &&
    page.origin !== "null" &&
    !!(navigator.serviceWorker && page.PushManager && page.Notification)
  );
}

/** An iPad may present itself as a Mac; no Mac has a touch screen. */
function isAppleHandheld({ userAgent, platform, maxTouchPoints }: Surroundings["navigator"]) {
  return (
    /iP(hone|ad|od)/.test(userAgent + platform) || (platform === "MacIntel" && maxTouchPoints > 1)
  );
}
