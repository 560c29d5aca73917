import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  invitationAcceptSchema,
  invitationListSchema,
  invitationLookSchema,
  invitationMadeSchema,
  invitationRequestSchema,
  invitationShownSchema,
  limits,
  operatorSchema,
} from "@sineta/protocol";
import { invitationLink } from "../access/operators/invitations.ts";
import type { OperatorCaller } from "../access/caller.ts";
import type { ProjectSettingsAccess } from "../access/quotas/project-settings.ts";
import { callerOf, operatorOf, type Credentials } from "./credentials.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  limitedProblems,
  problem,
  projectParameter,
  securityOf,
  sessionProblems,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { tooMany, withTurn } from "./password-again.ts";
import { HttpProblem } from "./problem.ts";
import { demandSameOrigin } from "./same-origin.ts";
import { answerLoggedIn, deviceOf, operatorAnswer, rowId, type OperatorParts } from "./session.ts";

/** Looked at and accepted together, from one address. No link can be guessed: this is for what they cost. */
export const invitationsPerMinute = 60;

const path = "/v1/projects/{project}/invitations";
const entry = "/v1/projects/:project/invitations";
const bodyProblems = {
  413: problem("`body-too-large`"),
  ...unsupportedBodyProblems,
};

const lookRoute = createRoute({
  method: "post",
  path: "/v1/invitations/look",
  summary: "What an invitation is for",
  security: securityOf("POST /v1/invitations/look"),
  middleware: jsonBody(limits.registrationBodyBytes, invitationLookSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: invitationLookSchema } } },
  },
  responses: {
    200: answer("It is good.", invitationShownSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    404: problem("`invitation-gone`"),
    ...limitedProblems,
    ...bodyProblems,
  },
});

const acceptRoute = createRoute({
  method: "post",
  path: "/v1/invitations/accept",
  summary: "Become an operator, or take a role as the operator who is logged in",
  security: securityOf("POST /v1/invitations/accept"),
  middleware: jsonBody(limits.registrationBodyBytes, invitationAcceptSchema),
  request: {
    body: { required: true, content: { "application/json": { schema: invitationAcceptSchema } } },
  },
  responses: {
    200: answer("Who is logged in now.", operatorSchema),
    400: problem(
      "`json-malformed`, `body-invalid`, `password-short`, `password-long`, `password-common`, `password-like-email`",
    ),
    401: problem("`session-missing`, `session-ended`"),
    403: problem("`cross-site-refused`, `invitation-for-another`"),
    404: problem("`invitation-gone`"),
    409: problem("`email-taken`"),
    429: problem("`too-many-requests`, `too-many-attempts`, with Retry-After"),
    503: problem("`passwords-busy`"),
    ...bodyProblems,
    ...writeProblems,
  },
});

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The invitations that are open",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("The newest first.", invitationListSchema),
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

const inviteRoute = createRoute({
  method: "post",
  path,
  summary: "Invite somebody by a link",
  security: securityOf(`POST ${entry}`),
  middleware: jsonBody(limits.registrationBodyBytes, invitationRequestSchema),
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: invitationRequestSchema } } },
  },
  responses: {
    201: answer("The link, shown this once.", invitationMadeSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
    ...bodyProblems,
    ...writeProblems,
  },
});

const withdrawRoute = createRoute({
  method: "delete",
  path: `${path}/{id}`,
  summary: "Withdraw an invitation",
  security: securityOf(`DELETE ${entry}/:id`),
  request: { params: projectParameter.extend({ id: z.string().describe("The invitation's id.") }) },
  responses: {
    204: { description: "The link opens nothing any more." },
    ...sessionProblems,
    404: problem("`project-unknown`, `invitation-gone`"),
    ...writeProblems,
  },
});

/** Routes of invitations: of those who have the link, and of owners who make it. */
export function addInvitationRoutes(
  app: OpenAPIHono<ProjectEnv>,
  parts: OperatorParts,
  credentials: Credentials,
  settings: Pick<ProjectSettingsAccess, "read">,
): void {
  const { access, projects, consoleOrigins, consoleUrl } = parts;
  const { invitations, sessions } = access;

  app.openapi(lookRoute, async (context) => {
    const invitation = await invitations.look(context.req.valid("json").token);
    const project = [...projects.values()].find(({ id }) => id === invitation?.projectId);
    if (invitation === null || project === undefined) throw new HttpProblem("invitation-gone");
    context.header("Cache-Control", "no-store");
    const { displayName } = await settings.read(project);
    const { role, email } = invitation;
    return context.json({ project: project.name, displayName, role, email }, 200);
  });

  /** @throws HttpProblem `session-missing` */
  async function operatorWhoAsks(context: Context<ProjectEnv>): Promise<OperatorCaller> {
    const caller = await callerOf(context, credentials);
    if (caller.kind !== "operator") throw new HttpProblem("session-missing");
    return caller;
  }

  app.openapi(acceptRoute, async (context) => {
    demandSameOrigin(context.req.raw, consoleOrigins);
    const body = context.req.valid("json");
    const { email, name, password } = body;
    const isNew = email !== undefined && name !== undefined && password !== undefined;
    const caller = isNew ? null : await operatorWhoAsks(context);
    const who = isNew ? { email, name, password } : { operatorId: caller?.id ?? 0 };
    const device = deviceOf(context);
    const result = await withTurn(() => invitations.accept(body.token, who, device.address));
    if (result.kind !== "accepted") throw new HttpProblem(result.kind);
    // Whoever is logged in stays so, and for no longer than before.
    if (caller !== null) {
      return context.json(operatorAnswer(await operatorWhoAsks(context), projects), 200);
    }
    const operator = { id: result.operatorId, email: result.email, verified: null };
    const session = await sessions.start(operator, device, "invitation");
    if (session === null) throw new HttpProblem("invitation-gone");
    if ("retryAfterSeconds" in session) throw tooMany(session);
    return context.json(await answerLoggedIn(context, parts, session), 200);
  });

  app.openapi(listRoute, async (context) => {
    const open = await invitations.list(context.get("project").id);
    return context.json(
      {
        invitations: open.map(({ id, role, email, invitedBy, createdAtMs, expiresAtMs }) => ({
          id,
          role,
          email,
          invitedBy,
          createdAt: new Date(createdAtMs).toISOString(),
          expiresAt: new Date(expiresAtMs).toISOString(),
        })),
      },
      200,
    );
  });

  app.openapi(inviteRoute, async (context) => {
    const { role, email = null } = context.req.valid("json");
    const projectId = context.get("project").id;
    const { id, token, expiresAtMs } = await invitations.invite(
      { projectId, role, email },
      operatorOf(context).id,
      context.get("asker"),
    );
    const link = invitationLink(consoleUrl, token);
    return context.json({ id, link, expiresAt: new Date(expiresAtMs).toISOString() }, 201);
  });

  app.openapi(withdrawRoute, async (context) => {
    const id = rowId(context.req.valid("param").id);
    const projectId = context.get("project").id;
    if (!(await invitations.withdraw(projectId, id, context.get("asker")))) {
      throw new HttpProblem("invitation-gone");
    }
    return context.body(null, 204);
  });
}
