export type Subscription = {
  readonly endpoint: string;
  /** The browser profile it belongs to, by the id its push service gave it. */
  readonly browser: string;
  /** The page's origin, or an empty string where the browser did not tell one. */
  readonly origin: string;
  /** The VAPID public key it was made with: base64url of the 65-byte point; an empty string where there was none. */
  readonly applicationServerKey: string;
  readonly createdAtMs: number;
  /** Absent while it is live. `status` is what the endpoint answers from then on. */
  readonly ended?: { readonly atMs: number; readonly status: 404 | 410 };
};

export type Subscriptions = {
  readonly add: (subscription: Omit<Subscription, "createdAtMs" | "ended">) => Subscription;
  readonly find: (endpoint: string) => Subscription | undefined;
  /** Ends it; an ended or unknown one is left as it is. Returns what it ended. */
  readonly end: (endpoint: string, status: 404 | 410) => Subscription | undefined;
  /** Live and ended ones, oldest first. */
  readonly list: () => readonly Subscription[];
};

/** Who can be reached, by endpoint. Ended subscriptions are kept, so that their endpoints go on saying so. */
export function createSubscriptions(now: () => number): Subscriptions {
  const byEndpoint = new Map<string, Subscription>();
  return {
    add: (details) => {
      const subscription: Subscription = { ...details, createdAtMs: now() };
      byEndpoint.set(subscription.endpoint, subscription);
      return subscription;
    },
    find: (endpoint) => byEndpoint.get(endpoint),
    end: (endpoint, status) => {
      const live = byEndpoint.get(endpoint);
      if (live === undefined || live.ended !== undefined) return undefined;
      const ended: Subscription = { ...live, ended: { atMs: now(), status } };
      byEndpoint.set(endpoint, ended);
      return ended;
    },
    list: () => [...byEndpoint.values()],
  };
}
