import type { Answer } from "../push-service/service-rules.ts";

/**
 * What a push service can be told to do wrong: plain data, the same in code and as JSON. It stands in for the acceptance of
 * a push: one that is itself wrong is still told what is wrong with it.
 *
 * `taken`: the service has taken the push before it goes wrong, so that only the answer is lost. Where the fault lies in the
 * answer, the push was always taken, unless the fault brings a status of its own.
 */
export type Fault =
  /** Any final status with any headers, instead of the acceptance. */
  | ({ readonly kind: "answer" } & Answer)
  /** Never answers, or sends the head of its answer and never the end. */
  | { readonly kind: "hang"; readonly at: "request"; readonly taken?: boolean }
  | { readonly kind: "hang"; readonly at: "answer" }
  /** An answer whose body comes byte by byte, for ever. */
  | { readonly kind: "drip"; readonly status?: number; readonly bytesPerSecond: number }
  /** An answer whose body comes as fast as it is read, for ever. */
  | { readonly kind: "endless-body" }
  /** HTTP/2: interim answers (103) without end, each too large for one frame. HTTP/1.1: header lines without end. */
  | { readonly kind: "endless-headers" }
  /** RST_STREAM before the answer or within it; over HTTP/1.1 the connection is cut. */
  | {
      readonly kind: "reset";
      readonly at: "request";
      readonly code?: ErrorCode;
      readonly taken?: boolean;
    }
  | { readonly kind: "reset"; readonly at: "answer"; readonly code?: ErrorCode }
  /** Tells the connection how many streams it may have open from now on, and goes on. HTTP/1.1 knows no such thing. */
  | { readonly kind: "settings"; readonly maxConcurrentStreams: number }
  /**
   * GOAWAY: streams beyond the last are not looked at, this one goes on if it is not beyond. Over HTTP/1.1 `this` answers
   * with `Connection: close`, anything else cuts the connection.
   */
  | { readonly kind: "goaway"; readonly code?: ErrorCode; readonly lastStreamId?: LastStream }
  /** The whole connection is cut, with every stream on it. */
  | { readonly kind: "hang-up"; readonly taken?: boolean }
  /** New connections are reset at once and those that are there are cut, as long as the rule stands. It counts connections. */
  | { readonly kind: "refuse-connections" }
  /** The service says in its own way that the VAPID token is bad, or made with another key than the subscription (the default). */
  | { readonly kind: "refuse-vapid"; readonly because?: "key" | "token" }
  | RateLimit;

/**
 * More than `limit` pushes in `windowSeconds` are refused. Apple counts by endpoint and answers 429; FCM counts by VAPID key
 * and answers 429 with Retry-After; Windows counts by VAPID key and answers 406, for `blockSeconds` from then on (an hour if
 * not given).
 */
export type RateLimit = {
  readonly kind: "rate-limit";
  readonly as: "apple" | "fcm" | "windows";
  readonly limit: number;
  readonly windowSeconds: number;
  readonly blockSeconds?: number;
};

export const faultKinds: readonly Fault["kind"][] = [
  "answer",
  "hang",
  "drip",
  "endless-body",
  "endless-headers",
  "reset",
  "settings",
  "goaway",
  "hang-up",
  "refuse-connections",
  "refuse-vapid",
  "rate-limit",
];

/** Faults that one request meets, as they are carried out. */
export type RequestFault = Exclude<
  Fault,
  { readonly kind: "refuse-connections" | "refuse-vapid" | "rate-limit" }
>;

/** An error code of HTTP/2 (RFC 9113, section 7), by name or by number. */
export type ErrorCode = ErrorName | number;

/** This stream, the one before it, or any. */
export type LastStream = "this" | "previous" | number;

/** Each at its own number. */
export const errorNames = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
] as const;

export type ErrorName = (typeof errorNames)[number];

export function errorNumber(code: ErrorCode): number {
  return typeof code === "number" ? code : errorNames.indexOf(code);
}

/** Which requests meet which fault. What is not given restricts nothing. */
export type Rule = {
  /** Of a push service, such as `https://fcm.googleapis.com`. */
  readonly origin?: string;
  /** Of the endpoint; with `*` as its end every path that begins so. */
  readonly path?: string;
  /** 0 to 1: how many of them, by chance. */
  readonly share?: number;
  /** How many pass by before. */
  readonly after?: number;
} & (
  | {
      readonly fault: Fault;
      /** How many are met; then the rule is spent. */
      readonly times?: number;
      /** So many requests to each endpoint meet the fault. Later ones do not. */
      readonly timesPerEndpoint?: number;
      readonly script?: never;
    }
  | {
      /** One request after the other; then the rule is spent. `ok` is accepted, whatever other rules say. */
      readonly script: readonly (Fault | "ok")[];
      readonly fault?: never;
      readonly times?: never;
      readonly timesPerEndpoint?: never;
    }
);
