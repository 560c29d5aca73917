import type { RateLimit, RequestFault } from "./fault.ts";
import type { SeenRequest } from "./rules.ts";

export type RateLimiter = {
  /** Counts the request; what it is refused with where it is one too many. */
  readonly refusal: (request: SeenRequest) => RequestFault | undefined;
};

const hourSeconds = 3600;

/**
 * Counts in windows that follow each other without a gap, the first of which begins now. Windows forget who they counted;
 * a block outlives them.
 */
export function createRateLimit(rule: RateLimit, now: () => number): RateLimiter {
  const { as, limit, windowSeconds, blockSeconds = as === "windows" ? hourSeconds : 0 } = rule;
  const windowMs = windowSeconds * 1000;
  const startedAtMs = now();
  const counts = new Map<string, number>();
  const blockEndsMs = new Map<string, number>();
  let current = 0;

  return {
    refusal: ({ origin, path, vapidKey = "" }) => {
      const nowMs = now();
      const window = Math.floor((nowMs - startedAtMs) / windowMs);
      if (window !== current) counts.clear();
      current = window;

      const who = `${origin} ${as === "apple" ? path : vapidKey}`;
      const count = (counts.get(who) ?? 0) + 1;
      counts.set(who, count);
      const isBlocked = (blockEndsMs.get(who) ?? 0) > nowMs;
      if (count <= limit && !isBlocked) return undefined;
      if (!isBlocked) blockEndsMs.set(who, nowMs + blockSeconds * 1000);
      const windowEndsMs = startedAtMs + (window + 1) * windowMs;
      const waitMs = Math.max(windowEndsMs, blockEndsMs.get(who) ?? 0) - nowMs;
      return refusals[as](Math.ceil(waitMs / 1000));
    },
  };
}

const refusals: Readonly<Record<RateLimit["as"], (waitSeconds: number) => RequestFault>> = {
  // Apple says no more than that ("too many requests for the same device").
  apple: () => ({
    kind: "answer",
    status: 429,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ reason: "TooManyRequests" }),
  }),
  fcm: (waitSeconds) => ({
    kind: "answer",
    status: 429,
    headers: { "content-type": "text/plain; charset=utf-8", "retry-after": String(waitSeconds) },
    body: "too many messages of this site\n",
  }),
  // "Push notification service request and response headers" (Microsoft): the reason stands in headers alone.
  windows: () => ({
    kind: "answer",
    status: 406,
    headers: {
      "x-wns-status": "dropped",
      "x-wns-notificationstatus": "channelthrottled",
      "x-wns-error-description": "Channel throttled",
    },
  }),
};
