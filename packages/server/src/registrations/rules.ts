import type {
  DecideRegistration,
  RegistrationCandidate,
  RegistrationDecision,
} from "../store/port.ts";
import { clientSecretMatches } from "./client-secret.ts";

/**
 * The rules of registration, pure:
 *
 * | endpoint | earlier token is known | |
 * |---|---|---|
 * | registered: same keys, same VAPID key, right secret | any | refresh it: same token |
 * | registered, otherwise | any | refuse, tell nothing, change nothing |
 * | gone: right secret | any | tell the browser the first time; later treat it as unknown |
 * | gone, otherwise | any | refuse, tell nothing, change nothing |
 * | unknown | right secret, live or gone | renew it: same token, next generation |
 * | unknown | no, wrong secret, or left | new |
 *
 * A browser that is told subscribes anew. If its push service gives it the same endpoint again, the server takes it.
 *
 * A browser that lost its secret subscribes anew: that is a new endpoint, and its old registration ends by itself
 * when the push service calls it gone. A registration that its browser has left does not come back.
 */
export function decide(
  candidate: RegistrationCandidate,
  { byEndpoint, goneEndpoint, byToken }: Parameters<DecideRegistration>[0],
): RegistrationDecision {
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
  if (goneEndpoint !== null) {
    if (!clientSecretMatches(goneEndpoint.clientSecretHash, clientSecretHash)) {
      return { kind: "refuse" };
    }
    if (!goneEndpoint.wasTold) return { kind: "tell-gone" };
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
