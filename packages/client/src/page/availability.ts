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
export function canOfferPush({ vapidKey, allowLoopback = false }: Offer): boolean {
  return typeof window !== "undefined" && !!vapidKey && isPushAvailable(window, allowLoopback);
}

/**
 * Whether push messaging may be initialised on this page: a secure https page (or, if `allowLoopback`, one of the
 * loopback names), not in an iPhone's, iPad's or iPod's browser, and with everything push needs.
 */
export function isPushAvailable(page: Surroundings, allowLoopback: boolean): boolean {
  return (
    page.isSecureContext &&
    (page.location.protocol === "https:" ||
      (allowLoopback && isLoopback(page.location.hostname))) &&
    !isAppleHandheld(page.navigator) &&
    "serviceWorker" in page.navigator &&
    "PushManager" in page &&
    "Notification" in page
  );
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(hostname);
}

/** An iPad may present itself as a Mac; no Mac has a touch screen. */
function isAppleHandheld({ userAgent, platform, maxTouchPoints }: Surroundings["navigator"]) {
  return (
    /iPhone|iPad|iPod/.test(userAgent + platform) || (platform === "MacIntel" && maxTouchPoints > 1)
  );
}
