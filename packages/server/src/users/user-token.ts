import { errors, jwtVerify } from "jose";
import { userTokenClaimsSchema, type UserTokenClaims } from "@sineta/protocol";

/** How far `exp` may lie ahead. */
const longestSeconds = 24 * 60 * 60;

/** How far the clocks of Sineta and of the site's backend may be apart, either way. */
const clockToleranceSeconds = 60;

export type VerifiedUser =
  | { ok: true; claims: UserTokenClaims }
  | { ok: false; code: "user-token-invalid" | "user-token-expired" };

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
    const claims = userTokenClaimsSchema.safeParse(payload);
    const latest = nowMs / 1000 + longestSeconds + clockToleranceSeconds;
    if (!isPlainJwt(protectedHeader.typ) || !claims.success || claims.data.exp > latest) {
      return { ok: false, code: "user-token-invalid" };
    }
    return { ok: true, claims: claims.data };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, code: "user-token-expired" };
    if (error instanceof errors.JOSEError) return { ok: false, code: "user-token-invalid" };
    throw error;
  }
}

/** Other types are other kinds of token, made for something else (RFC 8725, section 3.11). */
function isPlainJwt(typ: unknown): boolean {
  return typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
}
