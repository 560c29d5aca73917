import { limits } from "@sineta/protocol/limits";
import {
  checkEndpoint,
  endpointRefusals,
  type EndpointPolicy,
  type PushTarget,
} from "./endpoint.ts";
import type { LineRequest } from "./line.ts";
import { printable, type Failed, type FailedReason } from "./outcome.ts";
import { extraHeaders, topicFor } from "./quirks.ts";
import { decodePushKeys, seal, type SealRandom } from "./seal.ts";
import type { VapidKeys, VapidTokens } from "./vapid.ts";

/** RFC 8030, section 5.3. */
const urgencies = ["very-low", "low", "normal", "high"] as const;
export type Urgency = (typeof urgencies)[number];

/** One message for one subscription. */
export type Push = {
  /** By which it can be withdrawn: unique among those of its sender that are under way. */
  readonly id?: number | undefined;
  /** As stored; keys in base64url. */
  readonly subscription: {
    readonly endpoint: string;
    readonly p256dh: string;
    readonly auth: string;
  };
  /** The key that the subscription was made with. */
  readonly vapidKey: VapidKeys;
  /** At most 3,993 bytes; null sends a push without a message. */
  readonly plaintext: Uint8Array | null;
  /** How long the push service may keep it, whole seconds; more than 28 days counts as 28 days. */
  readonly ttlSeconds: number;
  /** `normal` if not given. */
  readonly urgency?: Urgency;
  /** Replaces an undelivered message with the same topic: 1 to 32 characters of base64url (RFC 8030, section 5.4). */
  readonly topic?: string;
};

export type PushRequest = { readonly target: PushTarget; readonly message: LineRequest };

/**
 * Makes the whole request for one push, or says why that cannot be done: endpoint checked, message sealed, VAPID
 * token put in. It sends nothing.
 */
export function buildPushRequest(
  { subscription, vapidKey, plaintext, ttlSeconds, urgency = "normal", topic }: Push,
  parts: { policy: EndpointPolicy; tokens: VapidTokens; random?: SealRandom },
): PushRequest | Failed {
  const endpoint = checkEndpoint(subscription.endpoint, parts.policy);
  if (!endpoint.ok) {
    const { reason } = endpoint;
    return failed("endpoint-not-allowed", `${reason}: ${endpointRefusals[reason]}`);
  }
  const { target } = endpoint;
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 0) {
    return failed("options-invalid", "ttlSeconds is not a whole number of seconds");
  }
  if (!urgencies.includes(urgency)) return failed("options-invalid", "unknown urgency");
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) {
    return failed("options-invalid", "a topic is 1 to 32 characters of base64url");
  }
  const body = plaintext === null ? null : sealFor(subscription, plaintext, parts.random);
  if (body !== null && "kind" in body) return body;

  const headers: Record<string, string> = {
    authorization: parts.tokens.authorization(target.origin, vapidKey),
    ttl: String(Math.min(ttlSeconds, limits.ttlSeconds)),
    urgency,
    "content-length": String(body?.length ?? 0),
    ...extraHeaders(target.service, { ttlSeconds }),
  };
  if (topic !== undefined) headers["topic"] = topicFor(target.service, topic);
  if (body !== null) {
    headers["content-encoding"] = "aes128gcm";
    headers["content-type"] = "application/octet-stream";
  }
  return { target, message: { path: target.path, headers, body } };
}

function sealFor(
  { p256dh, auth }: Push["subscription"],
  plaintext: Uint8Array,
  random: SealRandom | undefined,
): Uint8Array | Failed {
  if (plaintext.length > limits.plaintextBytes) {
    return failed("plaintext-too-large", `${plaintext.length} bytes`);
  }
  const keys = decodePushKeys(p256dh, auth);
  if (!keys.ok) return failed("keys-unusable", keys.key);
  try {
    return seal(plaintext, keys.keys, random);
  } catch (error) {
    // The one thing left that can be wrong: p256dh has the right shape and lies off the curve.
    return failed("keys-unusable", `p256dh: ${String(error)}`);
  }
}

function failed(reason: FailedReason, detail: string): Failed {
  return { kind: "failed", reason, detail: printable(detail) };
}
