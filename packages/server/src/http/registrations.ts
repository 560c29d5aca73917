import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  clientSecretSchema,
  limits,
  lookResponseSchema,
  projectConfigSchema,
  registrationRequestSchema,
  registrationResponseSchema,
} from "@sineta/protocol";
import type { Registrations } from "../registrations/registrations.ts";
import { describeWithSecret, readClientSecret, readClientSecretBody } from "./client-secret.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  limitedProblems,
  problem,
  projectParameter,
  registrationParameters,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import { demandAnyOrigin, demandOrigin, type ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const configRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/config",
  summary: "What a page needs to subscribe",
  request: { params: projectParameter },
  responses: {
    200: answer("The project's public key and limits.", projectConfigSchema),
    404: problem("`project-unknown`"),
  },
});

const registerRoute = createRoute({
  hide: true,
  method: "post",
  path: "/v1/projects/{project}/registrations",
  summary: "Register a browser's push subscription, or refresh it",
  middleware: [
    demandOrigin,
    jsonBody(limits.registrationBodyBytes, registrationRequestSchema),
    readClientSecret,
  ] as const,
  request: {
    params: projectParameter,
    body: {
      required: true,
      content: { "application/json": { schema: registrationRequestSchema } },
    },
  },
  responses: {
    200: answer("It was known.", registrationResponseSchema),
    201: answer("It is new.", registrationResponseSchema),
    400: problem(
      "`json-malformed`, `body-invalid`, `subscription-key-invalid`, `subscription-auth-invalid`, " +
        "`endpoint-not-allowed`, `vapid-key-unknown`, `client-secret-malformed`",
    ),
    403: problem(
      "`origin-missing`, `origin-not-allowed`, `user-token-invalid`, `user-token-expired`, `topic-kept`, " +
        "`quota-reached`",
    ),
    404: problem("`project-unknown`, `topic-unknown`"),
    409: problem("`registration-refused`, `subscription-gone`"),
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
    ...limitedProblems,
    ...writeProblems,
  },
});

const lookRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/registrations/{token}/look",
  summary: "Ask how the server knows this browser",
  middleware: [demandOrigin, readClientSecretBody] as const,
  request: {
    params: registrationParameters,
    body: {
      required: true,
      content: {
        "text/plain": {
          schema: clientSecretSchema.describe(
            "The browser's own secret. As text/plain it needs no preflight.",
          ),
        },
      },
    },
  },
  responses: {
    200: answer(
      "How the server knows it. A wrong secret and an unknown token are not told apart.",
      lookResponseSchema,
    ),
    400: problem("`client-secret-malformed`"),
    403: problem("`origin-missing`, `origin-not-allowed`"),
    404: problem("`project-unknown`"),
    413: problem("`body-too-large`"),
    415: problem("`content-type-unsupported`, `content-encoding-unsupported`"),
    ...limitedProblems,
  },
});

const unregisterRoute = createRoute({
  hide: true,
  method: "delete",
  path: "/v1/projects/{project}/registrations/{token}",
  summary: "Leave: nothing is sent to this browser any more",
  middleware: [demandAnyOrigin, readClientSecret] as const,
  request: {
    params: registrationParameters,
  },
  responses: {
    204: { description: "It has left." },
    400: problem("`client-secret-malformed`"),
    403: problem("`origin-missing`"),
    404: problem("`project-unknown`, `registration-unknown`"),
    ...limitedProblems,
    ...writeProblems,
  },
});

const forgetRoute = createRoute({
  hide: true,
  method: "post",
  path: "/v1/projects/{project}/registrations/{token}/forget",
  summary: "Leave, and have all removed that could tell whose browser it was",
  middleware: [demandAnyOrigin, readClientSecret] as const,
  request: {
    params: registrationParameters,
  },
  responses: {
    204: { description: "It is forgotten: figures are left, and nothing that leads to anybody." },
    400: problem("`client-secret-malformed`"),
    403: problem("`origin-missing`"),
    404: problem("`project-unknown`, `registration-unknown`"),
    ...writeProblems,
  },
});

/** Routes that a page calls. The project is in the context already. */
export function addRegistrationRoutes(
  app: OpenAPIHono<ProjectEnv>,
  registrations: Registrations,
): void {
  app.openapi(configRoute, (context) =>
    context.json(
      {
        vapidKey: context.get("project").keys.current.publicKey,
        limits: { plaintextBytes: limits.plaintextBytes },
      },
      200,
    ),
  );

  describeWithSecret(app, registerRoute);
  app.openapi(registerRoute, async (context) => {
    const result = await registrations.register({
      project: context.get("project"),
      origin: context.get("origin"),
      clientSecret: context.get("clientSecret"),
      userAgent: context.req.header("User-Agent"),
      body: context.req.valid("json"),
    });
    if (result.kind === "error") throw new HttpProblem(result.code, result.fields);
    const { token } = result;
    return result.kind === "new" ? context.json({ token }, 201) : context.json({ token }, 200);
  });

  app.openapi(lookRoute, async (context) => {
    const look = await registrations.look({
      project: context.get("project"),
      token: context.req.valid("param").token,
      clientSecret: context.get("clientSecret"),
    });
    context.set("isForScripts", true);
    return context.json(look, 200);
  });

  describeWithSecret(app, unregisterRoute);
  app.openapi(unregisterRoute, async (context) => {
    const left = await registrations.unregister({
      project: context.get("project"),
      token: context.req.valid("param").token,
      clientSecret: context.get("clientSecret"),
    });
    if (!left) throw new HttpProblem("registration-unknown");
    return context.body(null, 204);
  });

  describeWithSecret(app, forgetRoute);
  app.openapi(forgetRoute, async (context) => {
    const forgotten = await registrations.forget({
      project: context.get("project"),
      token: context.req.valid("param").token,
      clientSecret: context.get("clientSecret"),
    });
    if (!forgotten) throw new HttpProblem("registration-unknown");
    return context.body(null, 204);
  });
}
