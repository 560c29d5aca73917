import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  accountSchema,
  limits,
  logInSchema,
  operatorSchema,
  passwordChangeSchema,
  sessionListSchema,
  type Account,
  type OperatorAnswer,
} from "@sineta/protocol";
import { actorOf, type OperatorCaller } from "../access/caller.ts";
import type { OperatorAccess } from "../access/operators/create-access.ts";
import type { Device, StartedSession } from "../access/sessions/sessions.ts";
import type { Projects } from "../projects/project.ts";
import type { Passkey } from "../store/port.ts";
import { operatorOf, sessionToken } from "./credentials.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  ownProblems,
  problem,
  securityOf,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { tooMany, withAttempt, withTurn } from "./password-again.ts";
import { HttpProblem } from "./problem.ts";
import { demandSameOrigin } from "./same-origin.ts";
import {
  deviceCookie,
  removeSessionCookie,
  setDeviceCookie,
  setSessionCookie,
} from "./session-cookie.ts";

export type OperatorParts = {
  access: OperatorAccess;
  projects: Projects;
  /** Under which the console is reached. */
  consoleOrigins: ReadonlySet<string>;
  /** The address that links to the console begin with. Ends in a slash. */
  consoleUrl: string;
  /** Whether the console is reached by https. */
  secureCookies: boolean;
};

/** From one address, right ones too: for what their bodies cost. Which passwords are looked at is the throttle's to say. */
export const logInsPerMinute = 60;

const path = "/v1/session";
const bodyProblems = {
  413: problem("`body-too-large`"),
  ...unsupportedBodyProblems,
  ...writeProblems,
};

const logInRoute = createRoute({
  method: "post",
  path,
  summary: "Log in; sets the session's cookie",
  security: securityOf("POST /v1/session"),
  middleware: jsonBody(limits.registrationBodyBytes, logInSchema),
  request: { body: { required: true, content: { "application/json": { schema: logInSchema } } } },
  responses: {
    200: answer("Who has logged in.", operatorSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    401: problem("`log-in-refused`, `second-factor-missing`, `second-factor-wrong`"),
    403: problem("`cross-site-refused`"),
    429: problem("`too-many-requests`, `too-many-attempts`, with Retry-After"),
    503: problem("`passwords-busy`"),
    ...bodyProblems,
  },
});

const whoRoute = createRoute({
  method: "get",
  path,
  summary: "Who is logged in",
  security: securityOf("GET /v1/session"),
  responses: { 200: answer("You.", accountSchema), ...ownProblems },
});

const logOutRoute = createRoute({
  method: "delete",
  path,
  summary: "Log out; removes the session's cookie",
  security: securityOf("DELETE /v1/session"),
  responses: { 204: { description: "The session has ended." }, ...ownProblems, ...writeProblems },
});

const passwordRoute = createRoute({
  method: "put",
  path: `${path}/password`,
  summary: "Change the own password; ends all other sessions",
  security: securityOf("PUT /v1/session/password"),
  middleware: jsonBody(limits.registrationBodyBytes, passwordChangeSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: passwordChangeSchema } } },
  },
  responses: {
    204: { description: "It is changed." },
    400: problem(
      "`json-malformed`, `body-invalid`, `password-short`, `password-long`, `password-common`, `password-like-email`",
    ),
    401: ownProblems[401],
    403: problem("`cross-site-refused`, `password-wrong`"),
    429: problem("`too-many-attempts`, with Retry-After"),
    503: problem("`passwords-busy`"),
    ...bodyProblems,
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/v1/sessions",
  summary: "Where the own account is logged in",
  security: securityOf("GET /v1/sessions"),
  responses: { 200: answer("The last used first.", sessionListSchema), ...ownProblems },
});

const endRoute = createRoute({
  method: "delete",
  path: "/v1/sessions/{id}",
  summary: "End one of the own sessions",
  security: securityOf("DELETE /v1/sessions/:id"),
  request: { params: z.object({ id: z.string().describe("The session's id.") }) },
  responses: {
    204: { description: "It has ended." },
    ...ownProblems,
    404: problem("`session-unknown`"),
    ...writeProblems,
  },
});

/** Routes of whoever logs in, for what is their own. */
export function addSessionRoutes(app: OpenAPIHono<ProjectEnv>, parts: OperatorParts): void {
  const { access, consoleOrigins, secureCookies } = parts;
  const { sessions, logIn, operators } = access;

  app.openapi(logInRoute, async (context) => {
    // Whoever could log a visitor in as somebody else would see what they do then.
    demandSameOrigin(context.req.raw, consoleOrigins);
    const result = await withTurn(() =>
      logIn.logIn(context.req.valid("json"), {
        ...deviceOf(context),
        addressIsShared: context.get("addressIsShared"),
        deviceCookie: deviceCookie(context, secureCookies),
      }),
    );
    if (result.kind === "too-many-attempts") throw tooMany(result);
    if (result.kind !== "logged-in") throw new HttpProblem(result.kind);
    return context.json(await answerLoggedIn(context, parts, result.session), 200);
  });

  app.openapi(whoRoute, async (context) => {
    const operator = operatorOf(context);
    const recoveryCodesLeft = await access.secondFactors.recoveryCodesLeft(operator.id);
    const account = {
      ...operatorAnswer(operator, parts.projects),
      secondFactor: recoveryCodesLeft === null ? null : { recoveryCodesLeft },
      passkeys: (await access.passkeys.list(operator.id)).map((passkey) =>
        passkeyAnswer(passkey, access.passkeys.host),
      ),
    };
    return context.json(account, 200);
  });

  app.openapi(logOutRoute, async (context) => {
    const { id, sessionId } = operatorOf(context);
    await sessions.end(sessionId, id, context.get("asker"));
    removeSessionCookie(context, secureCookies);
    return context.body(null, 204);
  });

  app.openapi(passwordRoute, async (context) => {
    const { id, sessionId } = operatorOf(context);
    const passwords = context.req.valid("json");
    await withAttempt(context, access, async () => {
      const result = await operators.changePassword(id, passwords, sessionId, context.get("asker"));
      if (result !== "changed") throw new HttpProblem(result);
    });
    await markDevice(context, parts, id);
    return context.body(null, 204);
  });

  app.openapi(listRoute, async (context) => {
    const { id, sessionId } = operatorOf(context);
    const own = await sessions.list(id);
    return context.json(
      {
        sessions: own.map((session) => ({
          id: session.id,
          device: session.userAgent,
          address: session.address,
          startedAt: new Date(session.createdAtMs).toISOString(),
          lastUsedAt: new Date(session.lastUsedAtMs).toISOString(),
          current: session.id === sessionId,
        })),
      },
      200,
    );
  });

  app.openapi(endRoute, async (context) => {
    const { id } = operatorOf(context);
    const sessionId = rowId(context.req.valid("param").id);
    if (!(await sessions.end(sessionId, id, context.get("asker")))) {
      throw new HttpProblem("session-unknown");
    }
    return context.body(null, 204);
  });
}

/**
 * Sets the cookies of a session that has just begun, ends the one that this browser had, and gives what is answered: for
 * every way of logging in.
 * @throws HttpProblem `session-ended`, if somebody has ended it meanwhile
 */
export async function answerLoggedIn(
  context: Context<ProjectEnv>,
  parts: OperatorParts,
  session: StartedSession,
): Promise<OperatorAnswer> {
  const { access, projects, secureCookies } = parts;
  const address = context.get("address");
  const operator = await access.sessions.find(session.token, address);
  if (operator === null) throw new HttpProblem("session-ended");
  const token = sessionToken(context, secureCookies);
  const old = token === undefined ? null : await access.sessions.find(token, address);
  if (old !== null) {
    await access.sessions.end(old.sessionId, old.id, { actor: actorOf(old), address });
  }
  setSessionCookie(context, session, secureCookies);
  await markDevice(context, parts, operator.id);
  return operatorAnswer(operator, projects);
}

/** A mark belongs to a password: a new one asks for a new mark. */
async function markDevice(
  context: Context<ProjectEnv>,
  { access, secureCookies }: OperatorParts,
  operatorId: number,
): Promise<void> {
  const mark = await access.logIn.deviceCookieFor(operatorId);
  if (mark !== null) setDeviceCookie(context, mark, secureCookies);
}

/** From where the request comes, as a session remembers it. */
export function deviceOf(context: Context<ProjectEnv>): Device {
  return { address: context.get("address"), userAgent: context.req.header("User-Agent") ?? "" };
}

/** An id in an address; 0, which is nobody's, for what is none. */
export function rowId(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** @param host that passkeys are made for here */
export function passkeyAnswer(
  { id, name, createdAtMs, lastUsedAtMs, rpId }: Passkey,
  host: string,
): Account["passkeys"][number] {
  return {
    id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
    host: rpId,
    elsewhere: rpId !== null && rpId !== host,
  };
}

export function operatorAnswer(
  { id, email, name, roles }: OperatorCaller,
  projects: Projects,
): OperatorAnswer {
  const own = [...projects.values()].flatMap((project) => {
    const role = roles.get(project.id);
    return role === undefined ? [] : [[project.name, role] as const];
  });
  return { id, email, name, roles: Object.fromEntries(own) };
}
