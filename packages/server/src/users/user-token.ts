import { errors, jwtVerify } from "jose";
import { limits, userTokenClaimsSchema, type UserTokenClaims } from "@sineta/protocol";

/** How far `exp` may lie ahead. */
const longestSeconds = 24 * 60 * 60;

/** How far the clocks of Sineta and of the site's backend may be apart, either way. */
const clockToleranceSeconds = 60;

export type VerifiedUser =
  | { ok: true; claims: UserTokenClaims }
  | { ok: false; code: "user-token-expired" }
  | {
      ok: false;
      code: "user-token-invalid";
      /** What is wrong with it. Nothing of its claims is looked at unless the signature is right. */
      why: string;
    };

/**
 * Verifies a user token: a JWT (RFC 7519) whose only signature is HS256 with the project's user key, whatever its
 * header asks for (RFC 8725, section 3.1). Its time must be limited, to 24 hours, and not be over; `nbf` holds where
 * it is there. Both with a minute of tolerance.
 * @param userKey as `userKeyOf` gives it
 */
export async function verifyUserToken(
  userToken: string,
  userKey: string,
  nowMs: number,
): Promise<VerifiedUser> {
  try {
    const { payload, protectedHeader } = await jwtVerify(userToken, Buffer.from(userKey), {
      algorithms: ["HS256"],
      currentDate: new Date(nowMs),
      clockTolerance: clockToleranceSeconds,
    });
    if (!isPlainJwt(protectedHeader.typ)) return invalid("its typ is another one than JWT");
    const claims = userTokenClaimsSchema.safeParse(payload);
    if (!claims.success) return invalid(claimsText(claims.error.issues));
    const latest = nowMs / 1000 + longestSeconds + clockToleranceSeconds;
    if (claims.data.exp > latest) {
      return invalid("exp is more than 24 hours ahead: expected seconds since 1970, within a day");
    }
    return { ok: true, claims: claims.data };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, code: "user-token-expired" };
    if (error instanceof errors.JOSEError) return invalid(whyInvalid(error));
    throw error;
  }
}

function invalid(why: string): VerifiedUser {
  return { ok: false, code: "user-token-invalid", why };
}

function whyInvalid(error: errors.JOSEError): string {
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not HS256";
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return "its signature was not made with the key that sineta user-key prints";
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim } = error;
    return claim === "nbf"
      ? "nbf: expected a number, the seconds since 1970 of a time that has come"
      : `${claim}: ${expectedClaims.get(claim) ?? "cannot be used"}`;
  }
  return "it is not a JWT: expected three parts of base64url, signed with HS256";
}

const expectedClaims: ReadonlyMap<string, string> = new Map([
  ["sub", `expected the user's id, a text of 1 to ${limits.userIdCharacters} characters`],
  ["exp", "expected a number, in seconds since 1970"],
  ["iat", "expected a number, in seconds since 1970"],
  ["topics", `expected a list of at most ${limits.topicsPerRequest} names of topics`],
]);

/** By name alone: what was in the claims is not repeated. */
function claimsText(issues: readonly { path: readonly PropertyKey[] }[]): string {
  const names = new Set(issues.map(({ path }) => String(path[0] ?? "")));
  return Array.from(
    names,
    (name) => `${name}: ${expectedClaims.get(name) ?? "cannot be used"}`,
  ).join("; ");
}

/** Other types are other kinds of token, made for something else (RFC 8725, section 3.11). */
function isPlainJwt(typ: unknown): boolean {
  return typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
}
