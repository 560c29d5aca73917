import { z, type createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { clientSecretHeader, clientSecretSchema } from "@sineta/protocol";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

type RouteConfig = Parameters<typeof createRoute>[0];

/** Reads the secret of the browser that asks. @throws HttpProblem `client-secret-malformed` */
export const readClientSecret = createMiddleware<
  ProjectEnv & {
    Variables: {
      /** 32 bytes, base64url. */
      clientSecret: string;
    };
  }
>(async (context, next) => {
  const secret = clientSecretSchema.safeParse(context.req.header(clientSecretHeader));
  if (!secret.success) throw new HttpProblem("client-secret-malformed");
  context.set("clientSecret", secret.data);
  await next();
});

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
