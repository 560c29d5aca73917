import type {
  KnownRegistration,
  RegistrationCandidate,
  RegistrationDecision,
} from "../store/port.ts";
import { clientSecretMatches } from "./client-secret.ts";

/**
 * The rules of registration, pure:
 *
 * | endpoint is registered | earlier token is known | |
 * |---|---|---|
 * | same keys, same VAPID key, right secret | any | refresh it: same token |
 * | otherwise | any | refuse, tell nothing, change nothing |
 * | no | right secret, live or gone | renew it: same token, next generation |
 * | no | no, wrong secret, or left | new |
 *
 * A browser that lost its secret subscribes anew: that is a new endpoint, and its old registration ends by itself
 * when the push service calls it gone. A registration that its browser has left does not come back.
 */
export function decide(
  candidate: RegistrationCandidate,
  found: { byEndpoint: KnownRegistration | null; byToken: KnownRegistration | null },
): RegistrationDecision {
  const { byEndpoint, byToken } = found;
  const { clientSecretHash } = candidate;
  if (byEndpoint !== null) {
    const { id, subscription } = byEndpoint;
    const same =
      subscription !== null &&
      subscription.p256dh === candidate.p256dh &&
      subscription.auth === candidate.auth &&
      subscription.vapidKeyId === candidate.vapidKeyId;
    const mine = clientSecretMatches(byEndpoint.clientSecretHash, clientSecretHash);
    return same && mine ? { kind: "refresh", id } : { kind: "refuse" };
  }
  if (
    byToken !== null &&
    byToken.endReason !== "left" &&
    clientSecretMatches(byToken.clientSecretHash, clientSecretHash)
  ) {
    return { kind: "renew", id: byToken.id };
  }
  return { kind: "new" };
}
