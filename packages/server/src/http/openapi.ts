/** What the descriptions of routes have in common. */
import { z } from "@hono/zod-openapi";
import { draftContentSchema, messageDataSchema, problemSchema } from "@sineta/protocol";
import { permissions } from "../access/permissions.ts";

/** They are looked at by a function, so what they are has to be said. */
messageDataSchema.register(z.globalRegistry, { type: "object", additionalProperties: true });
draftContentSchema.register(z.globalRegistry, { type: "object", additionalProperties: true });

export const projectParameter = z.object({
  project: z.string().describe("Name of the project: `default` unless the server has others."),
});

export const registrationParameters = projectParameter.extend({
  token: z.string().describe("The registration's token."),
});

export function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

/**
 * Who may call a route, as the table of permissions has it; app.ts describes the schemes. An API key's scope, or an
 * operator's role.
 * @param route as in the table, such as `GET /v1/projects/:project/messages`
 */
export function securityOf(route: string): Record<string, string[]>[] {
  const permission = permissions[route];
  if (permission?.who === "operator") return [{ session: [] }];
  if (permission?.who !== "project") return [];
  const session = { session: [permission.role] };
  return permission.scope === null ? [session] : [{ apiKey: [permission.scope] }, session];
}

/** @param codes those of the catalogue that an answer of this status may have, each in backquotes */
export function problem(codes: string) {
  return {
    description: codes,
    content: { "application/problem+json": { schema: problemSchema } },
  };
}

/** What every route may answer that takes an API key or a session. */
export const memberProblems = {
  401: problem("`api-key-missing`, `api-key-invalid`, `session-ended`"),
  403: problem("`scope-missing`, `role-missing`, `cross-site-refused`"),
};

/** What every route may answer that takes a session and no API key. */
export const sessionProblems = {
  401: problem("`session-missing`, `session-ended`"),
  403: problem("`role-missing`, `cross-site-refused`"),
};

/** What every route may answer that is for what is the operator's own, whatever the role. */
export const ownProblems = {
  401: problem("`session-missing`, `session-ended`"),
  403: problem("`cross-site-refused`"),
};

/** Answers to a JSON body that the server cannot read. */
export const unsupportedBodyProblems = {
  415: problem(
    "`content-type-unsupported`, `charset-unsupported`, or `content-encoding-unsupported` with Accept-Encoding",
  ),
};

/** What every route may answer that takes a body and writes. */
export const bodyProblems = {
  400: problem("`json-malformed`, `body-invalid`"),
  413: problem("`body-too-large`"),
  ...unsupportedBodyProblems,
  507: problem("`storage-full`"),
};

export const ownBodyProblems = { ...ownProblems, ...bodyProblems };

/** What every route may answer whose callers are counted by address (rate-limit.ts). */
export const limitedProblems = { 429: problem("`too-many-requests`, with Retry-After") };

/** What every route may answer that writes. */
export const writeProblems = { 507: problem("`storage-full`") };
