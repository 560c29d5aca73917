/** What can be wrong with a push; which one it is decides what the service answers. */
export type Fault =
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
  /** There were, and they do not entitle to this subscription. */
  | "vapid-wrong";

export type Refusal = {
  readonly fault: Fault;
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
  /** Credentials that are valid and do not entitle to this subscription. */
  readonly wrongVapidStatus: 401 | 403;
  readonly accepted: (message: {
    id: string;
    ttlSeconds: number;
    /** It is less than the sender asked for. */
    shortened: boolean;
  }) => Answer;
  readonly refused: (refusal: Refusal) => Answer;
};

/** A refusal in words alone. */
export function refusedInText({ fault, status, reason }: Refusal): Answer {
  return {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...(fault === "method" && { allow: "POST" }),
    },
    body: `${reason}\n`,
  };
}
