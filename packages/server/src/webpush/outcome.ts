import type { PushAnswer } from "./push-answer.ts";
import { explanationOf, isThrottle, speaksOfTheKey } from "./quirks.ts";
import { readRetryAfter } from "./retry-after.ts";

/** Why a push did not end yet, was turned down, or could not be sent: stable codes, each with what it means. */
export const retryReasons = {
  throttled: "The push service asks to send less (429; from Windows also 406).",
  "service-unavailable": "The push service answered with an error of its own (5xx).",
  "service-timed-out": "The push service did not get the whole request in time (408).",
  "answer-timed-out": "No answer came within the deadline. The push may have been accepted.",
  "stream-broken": "The connection or stream broke under way. The push may have been accepted.",
  "stream-refused":
    "The push service did not look at this request, twice (REFUSED_STREAM, or beyond GOAWAY).",
  "name-not-resolved": "DNS gave no answer for the push service's host.",
  "connect-failed":
    "No connection to the push service could be made, or it ended before any request.",
  "connect-timed-out": "No usable connection to the push service came up within the deadline.",
  "tls-failed": "The TLS handshake failed; often a certificate that is not trusted here.",
  "queue-timed-out":
    "The deadline passed before the push service allowed one more request. Not sent.",
  "queue-full": "Too many requests wait for this push service already. Not sent.",
  withdrawn:
    "It was withdrawn before it began: the message was cancelled, or the browser left. Not sent.",
  "sender-closed": "The sender was closed before an answer came.",
  "sender-failed":
    "The thread that sent it ended by a mistake of ours before an answer came. The push may have been accepted.",
} as const;

export const rejectedReasons = {
  "vapid-refused":
    "The VAPID token or key was refused: 401, 403, or a 400 that speaks of it. Our mistake, never the subscription's end.",
  "too-large": "The body is larger than the push service takes (413).",
  redirect: "The push service answered with a redirect, which is never followed (3xx).",
  "request-refused": "The push service refused the request in another way (4xx).",
  "unexpected-status": "An answer with a status that RFC 8030 knows no meaning of.",
} as const;

export const failedReasons = {
  "endpoint-not-allowed": "The endpoint breaks the rules of endpoint.ts; detail says which.",
  "address-not-allowed":
    "The endpoint's host resolves to no public address, and no route leads there.",
  "keys-unusable": "p256dh or auth of the subscription cannot be used.",
  "plaintext-too-large": "The plaintext is over 3,993 bytes.",
  "options-invalid": "The TTL, urgency or topic is not one that RFC 8030 allows.",
  unexpected: "Something that should not happen happened in the sender; detail has the error.",
} as const;

export type RetryReason = keyof typeof retryReasons;
export type RejectedReason = keyof typeof rejectedReasons;
export type FailedReason = keyof typeof failedReasons;

/** What ended on our own side, and says nothing of the push service. */
export const ownReasons: ReadonlySet<string> = new Set<RetryReason>([
  "sender-closed",
  "sender-failed",
  "queue-full",
  "withdrawn",
]);

/** What became of one push. `detail` is for people: at most 200 printable characters, empty if there is none. */
export type Outcome =
  | Accepted
  /** The subscription has ended: 404 or 410, and nothing else ever means that. */
  | { readonly kind: "gone"; readonly status: number }
  | Retry
  /** The push service's last word on this request; the subscription stays. */
  | {
      readonly kind: "rejected";
      readonly reason: RejectedReason;
      readonly status: number;
      readonly detail: string;
    }
  | Failed;

/** Taken by the push service; whether it is ever shown is another matter. */
export type Accepted = { readonly kind: "accepted"; readonly status: number };

/** May go better later. */
export type Retry = {
  readonly kind: "retry";
  readonly reason: RetryReason;
  /** Epoch milliseconds before which the push service wants to hear nothing (Retry-After), at most a day ahead. */
  readonly notBefore: number | null;
  /** Only if there was an answer. */
  readonly status?: number;
  readonly detail: string;
};

/** Our own inability: nothing was sent, and sending it again would not change that. */
export type Failed = {
  readonly kind: "failed";
  readonly reason: FailedReason;
  readonly detail: string;
};

const acceptedStatuses: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/**
 * What an answer means (RFC 8030, section 5 and 8; RFC 8292, section 4; the vendors' documents).
 * @param nowMs epoch milliseconds, which Retry-After counts from
 * @param hide takes out of what a push service says what nobody may be told
 */
export function outcomeOf(
  answer: PushAnswer,
  nowMs: number,
  hide: (text: string) => string = (text) => text,
): Outcome {
  const { status } = answer;
  if (acceptedStatuses.has(status)) return { kind: "accepted", status };
  if (status === 404 || status === 410) return { kind: "gone", status };

  const detail = printable(hide(explanationOf(answer)));
  const retry = (reason: RetryReason): Outcome => {
    const notBefore = readRetryAfter(answer.headers, nowMs);
    return { kind: "retry", reason, notBefore, status, detail };
  };
  const rejected = (reason: RejectedReason): Outcome => ({
    kind: "rejected",
    reason,
    status,
    detail,
  });
  if (isThrottle(answer)) return retry("throttled");
  if (status === 408) return retry("service-timed-out");
  if (status >= 500 && status < 600) return retry("service-unavailable");
  if (status === 401 || status === 403) return rejected("vapid-refused");
  if (status === 400 && speaksOfTheKey(detail)) return rejected("vapid-refused");
  if (status === 413) return rejected("too-large");
  if (status >= 400 && status < 500) return rejected("request-refused");
  if (status >= 300 && status < 400) return rejected("redirect");
  return rejected("unexpected-status");
}

/** One line of at most 200 characters, without anything that could steer a terminal or turn the reading direction. */
export function printable(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
