import type { RegistrationRequest } from "@sineta/protocol";
import type { MembershipRequest } from "../store/port.ts";
import { asBrowser } from "../topics/rules.ts";
import { verifyUserToken, type VerifiedUser } from "../users/user-token.ts";

export type RequestedMembership =
  /** Undefined: nothing is to change. */
  { ok: true; membership: MembershipRequest | undefined } | Extract<VerifiedUser, { ok: false }>;

/** What a registration's body asks for about user and topics, its user token verified. */
export async function requestedMembership(
  { topics: joins = [], userToken }: Pick<RegistrationRequest, "topics" | "userToken">,
  userKey: string,
  nowMs: number,
): Promise<RequestedMembership> {
  if (userToken === undefined && joins.length === 0) return { ok: true, membership: undefined };
  if (userToken === undefined || userToken === null) {
    return { ok: true, membership: asBrowser({ joins, user: userToken }) };
  }
  const verified = await verifyUserToken(userToken, userKey, nowMs);
  if (!verified.ok) return verified;
  const { sub: id, topics } = verified.claims;
  return { ok: true, membership: asBrowser({ joins, user: { id, topics } }) };
}
