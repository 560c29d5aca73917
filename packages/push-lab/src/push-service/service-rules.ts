/** What a sender can do wrong; which one it is decides what the service answers. */
export type Mistake =
  | "other-service"
  | "method"
  | "subscription-unknown"
  | "subscription-ended"
  | "ttl-missing"
  | "ttl-unreadable"
  | "ttl-negative"
  | "body-too-large"
  | "content-encoding"
  | "topic"
  | "urgency"
  /** No usable credentials were given. */
  | "vapid-unusable"
  /** There were, and the token is not good for this push service. */
  | "vapid-wrong"
  /** They are good, and the subscription was made with another key. */
  | "vapid-other-key"
  /** What this push service alone demands. */
  | "own-demand";

export type Refusal = {
  readonly mistake: Mistake;
  readonly status: number;
  /** One sentence without an end. */
  readonly reason: string;
};

/** An HTTP answer of the push service. */
export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Where push services differ; everything else is common to all of them (RFC 8030). */
export type ServiceRules = {
  /** The origin of its endpoints, such as `https://jmt17.google.com`. */
  readonly origin: string;
  /** How long it keeps a message at most; a longer TTL is shortened to it (RFC 8030, 5.2). */
  readonly longestTtlSeconds: number;
  /** Credentials whose token is not good here. */
  readonly wrongVapidStatus: 401 | 403;
  /** Good ones of another key than the subscription's; `wrongVapidStatus` where it is not given. */
  readonly otherKeyStatus?: number;
  /** What it demands beyond the others: what is wrong, as one sentence without an end, or undefined. */
  readonly objection?: (headers: Readonly<Record<string, string>>) => string | undefined;
  readonly accepted: (message: {
    id: string;
    ttlSeconds: number;
    /** It is less than the sender asked for. */
    shortened: boolean;
  }) => Answer;
  readonly refused: (refusal: Refusal) => Answer;
};

/** The refusal of credentials that could be used, for either reason. */
export function vapidRefusal(
  service: ServiceRules,
  mistake: "vapid-wrong" | "vapid-other-key",
  reason: string,
): Refusal {
  const { wrongVapidStatus, otherKeyStatus = wrongVapidStatus } = service;
  const status = mistake === "vapid-wrong" ? wrongVapidStatus : otherKeyStatus;
  return { mistake, status, reason };
}

/** A refusal in words alone. */
export function refusedInText({ mistake, status, reason }: Refusal): Answer {
  return {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...(mistake === "method" && { allow: "POST" }),
    },
    body: `${reason}\n`,
  };
}
