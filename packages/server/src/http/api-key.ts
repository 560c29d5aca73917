import { createMiddleware } from "hono/factory";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/** What of the API keys the HTTP interface needs. */
export type KeyCheck = Pick<ApiKeys, "authenticate">;

/**
 * For what senders ask: lets in whoever holds a key of the project. Such answers are for programs and not for pages,
 * so they allow no other origin and are kept by nobody. @throws HttpProblem `api-key-missing`, `api-key-invalid`
 */
export function demandApiKey(apiKeys: KeyCheck) {
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const key = bearerKey(context.req.header("Authorization"));
    const found = await apiKeys.authenticate(context.get("project").id, key);
    if (found === null) throw new HttpProblem("api-key-invalid");
    await next();
    context.res.headers.set("Cache-Control", "no-store");
  });
}

/**
 * @param header of the request (RFC 6750, section 2.1; the scheme in any case: RFC 9110, section 11.1)
 * @throws HttpProblem `api-key-missing`
 */
export function bearerKey(header: string | undefined): string {
  const key = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (key === undefined) throw new HttpProblem("api-key-missing");
  return key;
}
