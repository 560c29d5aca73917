/** Every code that says why a push was not accepted, or why a push service is held back: what it means, what to do. */
import type { BreakerReason, StoreReason } from "../store/port.ts";
import {
  failedReasons,
  rejectedReasons,
  retryReasons,
  type FailedReason,
  type RejectedReason,
  type RetryReason,
} from "../webpush/outcome.ts";

export type ReasonCode =
  | RetryReason
  | RejectedReason
  | FailedReason
  | BreakerReason
  | StoreReason
  /** Of a dry run alone: such registrations are sent to in vain. */
  | "vapid-key-unknown";

const meanings: Readonly<Record<ReasonCode, string>> = {
  ...retryReasons,
  ...rejectedReasons,
  ...failedReasons,
  "endpoint-not-allowed": "The endpoint is none that Sineta may send to; the detail says why.",
  unavailable: "The push service does not answer, or only with errors of its own (5xx).",
  "refuses-all": "The push service refuses every push in a way that is not about the VAPID key.",
  "vapid-key-unknown": "It was made with a VAPID key that the project does not have.",
  expired: "The message's time (its TTL) was over before the push service accepted it.",
  cancelled: "The message was cancelled before the push service accepted it.",
  "not-in-audience":
    "The browser left, or is not among those whom the message is for any more, before it was tried again.",
  "never-accepted":
    "The push service's host has never accepted a push, while others did: it is probably made up. The registration stays.",
  moved: "The browser has another subscription since, and has its turn there. Not sent yet.",
  renewed: "The subscription had ended, and the browser came back meanwhile. It is sent there.",
};

const nothing = "Nothing needs to be done.";
const again = "It is tried again until the message's time is over.";
const reach =
  "Check that this machine reaches the push service: its network and firewall (Sineta goes through no proxy), and SINETA_PUSH_ROUTES if that is set.";

const remedies: Readonly<Record<ReasonCode, string>> = {
  throttled: "It goes on after the pause; nothing needs to be done.",
  "service-unavailable": `${again} Look at the push service's status page if it lasts.`,
  "service-timed-out": again,
  "answer-timed-out": `${again} If it lasts, check that this machine's network is not overloaded, and the push service's status page.`,
  "stream-broken": again,
  "stream-refused": again,
  "name-not-resolved":
    "Check this machine's DNS: the name in the detail must resolve here. In a network without DNS, set SINETA_PUSH_ROUTES.",
  "connect-failed": reach,
  "connect-timed-out": `${reach} A firewall that drops packets looks like this.`,
  "tls-failed":
    "Check this machine's clock. If something between here and the push service has a certificate of its own (a proxy, a test), trust its authority with NODE_EXTRA_CA_CERTS and start the server again.",
  "queue-timed-out": again,
  "queue-full": again,
  withdrawn: nothing,
  "sender-closed": "It is sent when the server runs again.",
  "sender-failed": "Look into the server's log, and report it with what stands there.",
  "vapid-refused":
    "Check this machine's clock and SINETA_VAPID_SUBJECT, then start the server again. Nobody is removed meanwhile. For a few registrations alone: they were made with another key, which anybody can do; nothing is to be done.",
  "too-large": "Send a shorter message: title, body, data, buttons and addresses together count.",
  redirect:
    "Look up what it said in its vendor's documentation; something between here and there may answer in its place.",
  "request-refused": "Look up what it said in its vendor's documentation.",
  "unexpected-status":
    "Look up what it said in its vendor's documentation; something between here and there may answer in its place.",
  "endpoint-not-allowed":
    "If it is a push service of your own, allow its host with SINETA_PUSH_HOSTS.",
  "address-not-allowed":
    "Check this machine's DNS. If the push service is in your own network, name it in SINETA_PUSH_ROUTES.",
  "keys-unusable": "Nothing can be sent to this browser until it registers anew.",
  "plaintext-too-large":
    "Send a shorter message: title, body, data, buttons and addresses together count.",
  "options-invalid": "Report it with the detail: such a message should have been refused.",
  unexpected: "Look into the server's log, and report it with the detail.",
  unavailable: `${reach} If it does, wait: it is tried again by itself.`,
  "refuses-all":
    "Look up what it said in its vendor's documentation, mend that, then start the server again.",
  "vapid-key-unknown":
    "Put back the data folder that has the key; browsers that load the site subscribe with the present one.",
  expired: "Give the next message a longer TTL, or see to what kept it: `sineta status` tells.",
  cancelled: nothing,
  "not-in-audience": nothing,
  "never-accepted":
    "Nothing needs to be done. The next message tries the host once, and goes on if it accepts.",
  moved: nothing,
  renewed: nothing,
};

/** What a code means, and what to do. */
export type Reason = { meaning: string; remedy: string };

/** By code; docs/operating.md has them all. */
export const reasons: ReadonlyMap<string, Reason> = joined();

function joined(): ReadonlyMap<string, Reason> {
  const remedyByCode = new Map(Object.entries(remedies));
  return new Map(
    Object.entries(meanings).map(([code, meaning]) => {
      return [code, { meaning, remedy: remedyByCode.get(code) ?? nothing }];
    }),
  );
}

/** Where the push service gave an answer, and the detail is its own words. */
const answered: ReadonlySet<string> = new Set<string>([
  "throttled",
  "service-unavailable",
  "service-timed-out",
  "unavailable",
  "refuses-all",
  ...Object.keys(rejectedReasons),
]);

/** Why, to the point. */
export type Cause = Reason & {
  code: string;
  /** Without the code. */
  detail: string;
  /** Whether the detail is what the push service said. */
  said: boolean;
  /** Whether a push that met it is tried again while there is time. */
  retried: boolean;
};

/**
 * What lies behind the reason and detail of a breaker, or of pushes. A breaker that is open because no answer came has
 * in its detail what came instead (delivery/evidence.ts): that is the cause.
 */
export function causeOf({ reason, detail }: { reason: string; detail: string }): Cause {
  const [, inner = "", rest = ""] = /^([a-z-]+)(?:: (.*))?$/s.exec(detail) ?? [];
  if (reason === "unavailable" && Object.hasOwn(retryReasons, inner)) {
    return causeOf({ reason: inner, detail: rest });
  }
  const known = reasons.get(reason) ?? { meaning: "", remedy: "" };
  const retried = Object.hasOwn(retryReasons, reason) || reason === "vapid-refused";
  return { ...known, code: reason, detail, said: answered.has(reason), retried };
}

/** As a sentence or two: what it means, what is known of it, and what to do. */
export function causeText(cause: Cause): string {
  return [cause.meaning, detailText(cause), cause.remedy].filter((part) => part !== "").join(" ");
}

/** What is known of it, in a sentence; empty if that is nothing. */
export function detailText({ detail, said }: Cause): string {
  if (detail === "") return "";
  return said ? `It said: ${detail}.` : `The cause: ${detail}.`;
}
