import { sql } from "kysely";
import type { RegistrationCandidate } from "../port.ts";

type Subscription = Omit<RegistrationCandidate, "earlierToken" | "loss">;

/** What may change while the subscription stays the same. */
export function refreshColumns(candidate: Subscription, nowMs: number) {
  return {
    origin: candidate.origin,
    locale: candidate.locale,
    time_zone: candidate.timeZone,
    browser: candidate.browser,
    system: candidate.system,
    refreshed_at_ms: nowMs,
  };
}

/**
 * A subscription, alive.
 * @param accepted whether the push service has accepted a push for its endpoint
 */
export function subscriptionColumns(candidate: Subscription, nowMs: number, accepted: 0 | 1) {
  return {
    ...refreshColumns(candidate, nowMs),
    endpoint: candidate.endpoint,
    endpoint_hash: candidate.endpointHash,
    p256dh: candidate.p256dh,
    auth: candidate.auth,
    vapid_key_id: candidate.vapidKeyId,
    push_service: sql<string>`push_service_of(${candidate.pushOrigin})`,
    push_origin: candidate.pushOrigin,
    passed_messages: null,
    ended_at_ms: null,
    end_reason: null,
    refused_at_ms: null,
    removed: 0 as const,
    accepted,
  };
}
