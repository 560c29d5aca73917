import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  limits,
  operatorSchema,
  passkeyCreationOptionsSchema,
  passkeyListSchema,
  passkeyLogInOptionsRequestSchema,
  passkeyLogInSchema,
  passkeyOptionsRequestSchema,
  passkeyRegistrationSchema,
  passkeyRequestOptionsSchema,
} from "@sineta/protocol";
import { operatorOf } from "./credentials.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  bodyProblems,
  limitedProblems,
  ownBodyProblems,
  ownProblems,
  problem,
  securityOf,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { demandPassword, tooMany, withAttempt } from "./password-again.ts";
import { HttpProblem } from "./problem.ts";
import { demandSameOrigin } from "./same-origin.ts";
import { answerLoggedIn, deviceOf, passkeyAnswer, rowId, type OperatorParts } from "./session.ts";

/** Questions and answers together, from one address. No key can be guessed: this is for what they cost. */
export const passkeyLogInsPerMinute = 30;

const ownPath = "/v1/session/passkeys";
const logInPath = "/v1/passkey-login";

const optionsRoute = createRoute({
  method: "post",
  path: `${ownPath}/options`,
  summary: "What a page hands to navigator.credentials.create()",
  security: securityOf(`POST ${ownPath}/options`),
  middleware: jsonBody(limits.registrationBodyBytes, passkeyOptionsRequestSchema),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: passkeyOptionsRequestSchema } },
    },
  },
  responses: {
    200: answer("Good for 5 minutes, once, for you.", passkeyCreationOptionsSchema),
    ...ownBodyProblems,
    403: problem("`cross-site-refused`, `password-missing`, `password-wrong`"),
    409: problem("`passkeys-exhausted`"),
    429: problem("`too-many-attempts`, with Retry-After"),
    503: problem("`passwords-busy`"),
  },
});

const addRoute = createRoute({
  method: "post",
  path: ownPath,
  summary: "Keep a passkey that was made; ends all other sessions",
  security: securityOf(`POST ${ownPath}`),
  middleware: jsonBody(limits.registrationBodyBytes, passkeyRegistrationSchema),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: passkeyRegistrationSchema } },
    },
  },
  responses: {
    201: answer("All of yours.", passkeyListSchema),
    ...ownBodyProblems,
    400: problem("`json-malformed`, `body-invalid`, `passkey-invalid`"),
    409: problem("`passkey-known`, `passkeys-exhausted`"),
  },
});

const listRoute = createRoute({
  method: "get",
  path: ownPath,
  summary: "The own passkeys",
  security: securityOf(`GET ${ownPath}`),
  responses: { 200: answer("The oldest first.", passkeyListSchema), ...ownProblems },
});

const removeRoute = createRoute({
  method: "delete",
  path: `${ownPath}/{id}`,
  summary: "Remove one of the own passkeys; ends all other sessions",
  security: securityOf(`DELETE ${ownPath}/:id`),
  request: { params: z.object({ id: z.string().describe("The passkey's id.") }) },
  responses: {
    204: { description: "It opens nothing any more." },
    ...ownProblems,
    404: problem("`passkey-unknown`"),
    ...writeProblems,
  },
});

const logInOptionsRoute = createRoute({
  method: "post",
  path: `${logInPath}/options`,
  summary: "What a page hands to navigator.credentials.get()",
  security: securityOf(`POST ${logInPath}/options`),
  middleware: jsonBody(limits.registrationBodyBytes, passkeyLogInOptionsRequestSchema),
  request: {
    body: {
      required: true,
      content: { "application/json": { schema: passkeyLogInOptionsRequestSchema } },
    },
  },
  responses: {
    200: answer("Good for 5 minutes, once.", passkeyRequestOptionsSchema),
    ...bodyProblems,
    403: problem("`cross-site-refused`"),
    ...limitedProblems,
  },
});

const logInRoute = createRoute({
  method: "post",
  path: logInPath,
  summary: "Log in by a passkey alone; sets the session's cookie",
  security: securityOf(`POST ${logInPath}`),
  middleware: jsonBody(limits.registrationBodyBytes, passkeyLogInSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: passkeyLogInSchema } } },
  },
  responses: {
    200: answer("Who has logged in.", operatorSchema),
    ...bodyProblems,
    401: problem("`passkey-refused`"),
    403: problem("`cross-site-refused`"),
    429: problem("`too-many-requests`, `too-many-attempts`, with Retry-After"),
  },
});

/** Routes of passkeys: of whoever logs in by one, and of whoever is logged in, for the own ones. */
export function addPasskeyRoutes(app: OpenAPIHono<ProjectEnv>, parts: OperatorParts): void {
  const { access, consoleOrigins } = parts;
  const { passkeys, sessions } = access;

  async function ownPasskeys(context: Context<ProjectEnv>) {
    const own = await passkeys.list(operatorOf(context).id);
    return { passkeys: own.map((passkey) => passkeyAnswer(passkey, passkeys.host)) };
  }

  app.openapi(optionsRoute, async (context) => {
    const { password } = context.req.valid("json");
    const { id, sessionId } = operatorOf(context);
    if (password !== undefined) {
      await withAttempt(context, access, () => demandPassword(context, access, password));
    } else if (!(await sessions.isFresh(sessionId, id))) {
      throw new HttpProblem("password-missing");
    }
    const options = await passkeys.registrationOptions(id);
    if (options === null) throw new HttpProblem("passkeys-exhausted");
    return context.json({ ...options }, 200);
  });

  app.openapi(addRoute, async (context) => {
    const self = operatorOf(context);
    const result = await passkeys.register(self, context.req.valid("json"), context.get("asker"));
    if (result !== "added") throw new HttpProblem(result);
    return context.json(await ownPasskeys(context), 201);
  });

  app.openapi(listRoute, async (context) => context.json(await ownPasskeys(context), 200));

  app.openapi(removeRoute, async (context) => {
    const id = rowId(context.req.valid("param").id);
    if (!(await passkeys.remove(operatorOf(context), id, context.get("asker")))) {
      throw new HttpProblem("passkey-unknown");
    }
    return context.body(null, 204);
  });

  app.openapi(logInOptionsRoute, async (context) => {
    demandSameOrigin(context.req.raw, consoleOrigins);
    context.header("Cache-Control", "no-store");
    return context.json({ ...(await passkeys.logInOptions()) }, 200);
  });

  app.openapi(logInRoute, async (context) => {
    // Whoever could log a visitor in as somebody else would see what they do then.
    demandSameOrigin(context.req.raw, consoleOrigins);
    const { credential } = context.req.valid("json");
    const session = await passkeys.logIn(credential, deviceOf(context));
    if (session === null) throw new HttpProblem("passkey-refused");
    if ("retryAfterSeconds" in session) throw tooMany(session);
    return context.json(await answerLoggedIn(context, parts, session), 200);
  });
}
