import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  apiKeyListSchema,
  apiKeyRequestSchema,
  apiKeyRevocationSchema,
  apiKeyRotationSchema,
  limits,
  madeApiKeySchema,
  revokedApiKeySchema,
} from "@sineta/protocol";
import type { ApiKeys } from "../access/api-keys/api-keys.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  problem,
  projectParameter,
  securityOf,
  sessionProblems,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/api-keys";
const entry = "/v1/projects/:project/api-keys";
const prefixParameter = projectParameter.extend({
  prefix: z.string().describe("The key's beginning, as the list has it."),
});
const bodyProblems = {
  413: problem("`body-too-large`"),
  ...unsupportedBodyProblems,
};

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The API keys, revoked ones too; the keys themselves are not kept",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("All of them, the oldest first.", apiKeyListSchema),
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

const createKeyRoute = createRoute({
  method: "post",
  path,
  summary: "Make an API key",
  security: securityOf(`POST ${entry}`),
  middleware: jsonBody(limits.registrationBodyBytes, apiKeyRequestSchema),
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: apiKeyRequestSchema } } },
  },
  responses: {
    201: answer("The key, shown this once.", madeApiKeySchema),
    400: problem("`json-malformed`, `body-invalid`, `expiry-in-past`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
    ...bodyProblems,
    ...writeProblems,
  },
});

const rotateRoute = createRoute({
  method: "post",
  path: `${path}/{prefix}/rotate`,
  summary: "Make a successor like it; the old one is good for a while",
  security: securityOf(`POST ${entry}/:prefix/rotate`),
  middleware: jsonBody(limits.registrationBodyBytes, apiKeyRotationSchema),
  request: {
    params: prefixParameter,
    body: { required: true, content: { "application/json": { schema: apiKeyRotationSchema } } },
  },
  responses: {
    201: answer("The new key, shown this once.", madeApiKeySchema),
    400: problem("`json-malformed`, `body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`, `api-key-not-found`"),
    ...bodyProblems,
    ...writeProblems,
  },
});

const revokeRoute = createRoute({
  method: "delete",
  path: `${path}/{prefix}`,
  summary: "End a key at once and for ever, and what it has published if that is said",
  security: securityOf(`DELETE ${entry}/:prefix`),
  middleware: jsonBody(limits.registrationBodyBytes, apiKeyRevocationSchema, { optional: true }),
  request: {
    params: prefixParameter,
    body: { content: { "application/json": { schema: apiKeyRevocationSchema } } },
  },
  responses: {
    200: answer(
      "It opens nothing any more. With what it, or a key whose successor it is, had published that had not ended.",
      revokedApiKeySchema,
    ),
    400: problem("`json-malformed`, `body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`, `api-key-not-found`"),
    ...bodyProblems,
    ...writeProblems,
  },
});

export type ApiKeyParts = {
  apiKeys: Pick<ApiKeys, "create" | "list" | "madeBy" | "rotate" | "revoke">;
  now: () => number;
};

/** Routes for a project's owners. */
export function addApiKeyRoutes(app: OpenAPIHono<ProjectEnv>, { apiKeys, now }: ApiKeyParts): void {
  app.openapi(listRoute, async (context) => {
    const keys = await apiKeys.list(context.get("project").id);
    return context.json(
      {
        apiKeys: keys.map(({ prefix, name, scopes, createdBy, ...times }) => ({
          prefix,
          name,
          scopes,
          createdAt: new Date(times.createdAtMs).toISOString(),
          lastUsedAt: timeOrNull(times.lastUsedAtMs),
          expiresAt: timeOrNull(times.expiresAtMs),
          revokedAt: timeOrNull(times.revokedAtMs),
          createdBy,
        })),
      },
      200,
    );
  });

  app.openapi(createKeyRoute, async (context) => {
    const { name, scopes, expiresAt } = context.req.valid("json");
    const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt);
    if (expiresAtMs !== null && expiresAtMs <= now()) throw new HttpProblem("expiry-in-past");
    const { id } = context.get("project");
    const made = await apiKeys.create(id, { name, scopes, expiresAtMs }, context.get("asker"));
    return context.json(made, 201);
  });

  app.openapi(rotateRoute, async (context) => {
    const { prefix } = context.req.valid("param");
    const graceMs = context.req.valid("json").graceSeconds * 1000;
    const { id } = context.get("project");
    const made = await apiKeys.rotate(id, prefix, { graceMs }, context.get("asker"));
    if (made === null) throw new HttpProblem("api-key-not-found");
    return context.json(made, 201);
  });

  app.openapi(revokeRoute, async (context) => {
    const { prefix } = context.req.valid("param");
    const { id } = context.get("project");
    const { cancelMessages = false } = context.req.valid("json");
    const revoked = await apiKeys.revoke(id, prefix, { cancelMessages }, context.get("asker"));
    if (revoked === null) throw new HttpProblem("api-key-not-found");
    const { count, cancelled } = revoked;
    const first = revoked.first.map(({ scheduledAtMs, ...message }) =>
      Object.assign(message, { scheduleAt: new Date(scheduledAtMs).toISOString() }),
    );
    return context.json({ messages: { count, cancelled, first } }, 200);
  });
}

function timeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
