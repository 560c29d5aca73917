import { compactVerify, errors } from "jose";
import { z } from "zod";
import {
  limits,
  textExpected,
  textRules,
  userTokenClaimsSchema,
  type UserTokenClaims,
} from "@sineta/protocol";
import { withoutNulls } from "../without-nulls.ts";

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

const notBefore = "expected a number, the seconds since 1970 of a time that has come";
const claimsSchema = userTokenClaimsSchema.extend({
  nbf: z.number().optional(),
  iat: z.number().optional(),
});

/**
 * Verifies a user token: a JWT (RFC 7519) whose only signature is HS256 with the project's user key, whatever its
 * header asks for (RFC 8725, section 3.1). Its time must be limited, to 24 hours, and not be over; `nbf` holds where
 * it is there. Both with a minute of tolerance. It treats null in an optional claim as absent.
 * @param userKey as `userKeyOf` gives it
 */
export async function verifyUserToken(
  userToken: string,
  userKey: string,
  nowMs: number,
): Promise<VerifiedUser> {
  try {
    // jose's own look at the claims refuses null.
    const { payload, protectedHeader } = await compactVerify(userToken, Buffer.from(userKey), {
      algorithms: ["HS256"],
    });
    // RFC 7797, section 7.
    if (protectedHeader.b64 === false) return invalid(notJwt);
    if (!isPlainJwt(protectedHeader.typ)) return invalid("its typ is another one than JWT");
    return claimsOf(payload, nowMs / 1000);
  } catch (error) {
    if (error instanceof errors.JOSEError) return invalid(whyInvalid(error));
    throw error;
  }
}

function claimsOf(payload: Uint8Array, nowSeconds: number): VerifiedUser {
  const written = parsed(payload);
  if (!z.record(z.string(), z.unknown()).safeParse(written).success) return invalid(notJwt);
  const { success, data, error } = claimsSchema.safeParse(withoutNulls(written, claimsSchema));
  if (!success) return invalid(claimsText(error.issues));
  const { nbf = 0, iat: _, ...claims } = data;
  if (nbf > nowSeconds + clockToleranceSeconds) return invalid(`nbf: ${notBefore}`);
  if (claims.exp <= nowSeconds - clockToleranceSeconds) {
    return { ok: false, code: "user-token-expired" };
  }
  if (claims.exp > nowSeconds + longestSeconds + clockToleranceSeconds) {
    return invalid("exp is more than 24 hours ahead: expected seconds since 1970, within a day");
  }
  return { ok: true, claims };
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  } catch {
    return undefined;
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
  return notJwt;
}

const notJwt = "it is not a JWT: expected three parts of base64url, signed with HS256";

const expectedClaims: ReadonlyMap<string, string> = new Map([
  ["sub", `expected the user's id, ${textExpected(textRules.userId)}`],
  ["exp", "expected a number, in seconds since 1970"],
  ["nbf", notBefore],
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
