import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { ApiKeys } from "../access/api-keys/api-keys.ts";
import type { Caller, OperatorCaller } from "../access/caller.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";
import { doctorHeader } from "@sineta/protocol";
import { isDoctorToken } from "../doctor/token.ts";
import { demandSameOrigin } from "./same-origin.ts";

export type Credentials = {
  apiKeys: Pick<ApiKeys, "authenticate" | "used">;
  sessions: {
    /** Whose session it is; null if it has ended. @param token as it stands in the cookie */
    find(token: string, address: string): Promise<OperatorCaller | null>;
  };
  /** Under which the console is reached. */
  consoleOrigins: ReadonlySet<string>;
  /** Whether the console is reached by https only. */
  httpsOnly: boolean;
  now: () => number;
};

/** A `__Host-` cookie is this host's alone, and never sent in the clear (RFC 6265bis, section 4.1.3.2). */
export function sessionCookieName(httpsOnly: boolean): string {
  return httpsOnly ? "__Host-sineta-session" : "sineta-session";
}

/** As it stands in the cookie. */
export function sessionToken(context: Context<ProjectEnv>, httpsOnly: boolean): string | undefined {
  return getCookie(context, sessionCookieName(httpsOnly));
}

/**
 * Finds out who asks: by an API key, or else by a session's cookie.
 * @throws HttpProblem `api-key-invalid`, `session-ended`, `cross-site-refused`
 */
export async function callerOf(
  context: Context<ProjectEnv>,
  { apiKeys, sessions, consoleOrigins, httpsOnly }: Credentials,
): Promise<Caller> {
  const key = bearerKey(context.req.header("Authorization"));
  if (key !== null) {
    const found = await apiKeys.authenticate(key);
    if (found === null) throw new HttpProblem("api-key-invalid");
    return { kind: "api-key", ...found };
  }
  const token = sessionToken(context, httpsOnly);
  if (token === undefined) return { kind: "nobody" };
  demandSameOrigin(context.req.raw, consoleOrigins);
  const operator = await sessions.find(token, context.get("address"));
  if (operator === null) throw new HttpProblem("session-ended");
  return operator;
}

/** A doctor, if the request has its token. It needs no other right, so none is looked for. */
export function doctorOf(context: Context<ProjectEnv>, nowMs: number): Caller {
  const token = context.req.header(doctorHeader) ?? "";
  const { receiptSecret } = context.get("project");
  return { kind: isDoctorToken(token, receiptSecret, nowMs) ? "doctor" : "nobody" };
}

/** For routes that the guard lets operators call alone. @throws HttpProblem `session-missing` */
export function operatorOf(context: Context<ProjectEnv>): OperatorCaller {
  const caller = context.get("caller");
  if (caller.kind !== "operator") throw new HttpProblem("session-missing");
  return caller;
}

/** @param header of the request (RFC 6750, section 2.1; the scheme in any case: RFC 9110, section 11.1) */
function bearerKey(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? null;
}
