import { z, type createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { clientSecretHeader, clientSecretSchema } from "@sineta/protocol";
import { mediaTypeOf, readBody } from "./json-body.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

type RouteConfig = Parameters<typeof createRoute>[0];

type WithClientSecret = ProjectEnv & {
  Variables: {
    /** 32 bytes, base64url. */
    clientSecret: string;
  };
};

/** Reads the secret of the browser that asks from its header. @throws HttpProblem `client-secret-malformed` */
export const readClientSecret = createMiddleware<WithClientSecret>(async (context, next) => {
  setClientSecret(context, context.req.header(clientSecretHeader));
  await next();
});

/** A secret has 43. */
const bodyBytes = 64;

/**
 * Reads the secret from a body of text/plain: a page of another origin sends that without a preflight (Fetch standard, "CORS-safelisted
 * request-header").
 * @throws HttpProblem `content-type-unsupported`, `body-too-large`, `client-secret-malformed`
 */
export const readClientSecretBody = createMiddleware<WithClientSecret>(async (context, next) => {
  if (mediaTypeOf(context) !== "text/plain") throw new HttpProblem("content-type-unsupported");
  const body = await readBody(context, bodyBytes, "client-secret-malformed");
  setClientSecret(context, Buffer.from(body).toString("latin1"));
  await next();
});

/** @throws HttpProblem `client-secret-malformed` */
function setClientSecret(context: Context<WithClientSecret>, given: string | undefined): void {
  const secret = clientSecretSchema.safeParse(given);
  if (!secret.success) throw new HttpProblem("client-secret-malformed");
  context.set("clientSecret", secret.data);
}

/** In lower case, as Hono gives header names. */
const headers = z.object({
  [clientSecretHeader.toLowerCase()]: clientSecretSchema.describe(
    "The browser's own secret: 32 random bytes, base64url. Whoever has it may change the registration.",
  ),
});

/**
 * Describes a route that reads a client secret in the OpenAPI document, in place of `app.openapi` (`hide: true`): a
 * route with `headers` has all headers of each request copied to look at this one.
 */
export function describeWithSecret(
  app: OpenAPIHono<ProjectEnv>,
  { middleware: _middleware, hide: _hide, ...route }: RouteConfig,
): void {
  app.openAPIRegistry.registerPath({ ...route, request: { ...route.request, headers } });
}
