import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  dryRunSchema,
  idempotencyKeyHeader,
  idempotencyKeySchema,
  messageBriefSchema,
  messageFilterSchema,
  messageListSchema,
  messageMoveSchema,
  messageRequestSchema,
  messageStatusSchema,
  limits,
  publishedSchema,
} from "@sineta/protocol";
import { mayRead } from "../access/permissions.ts";
import { createMinuteRoom, dryRunsPerMinute } from "../access/quotas/per-minute.ts";
import type { MessageRefusal, Messages } from "../messages/messages.ts";
import { turnsOf } from "./few-at-once.ts";
import { jsonBody } from "./json-body.ts";
import { messageBody } from "./message-body.ts";
import {
  answer,
  bodyProblems,
  memberProblems,
  problem,
  projectParameter,
  securityOf,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/messages";
/** As Hono gives header names: in lower case. */
const idempotencyKeyName = idempotencyKeyHeader.toLowerCase();
const messageParameters = projectParameter.extend({ id: z.string().describe("The message's id.") });
const idempotencyHeader = z.object({
  [idempotencyKeyName]: idempotencyKeySchema
    .optional()
    .describe(
      "Names the request, so that sending it again publishes nothing twice: any visible characters.",
    ),
});
const locationHeader = z.object({
  Location: z.string().meta({ description: "Address of its status." }),
});

const publishRoute = createRoute({
  method: "post",
  path,
  summary: "Publish a message, or look what it would meet (dryRun)",
  security: securityOf("POST /v1/projects/:project/messages"),
  middleware: messageBody,
  request: {
    params: projectParameter,
    headers: idempotencyHeader,
    body: { required: true, content: { "application/json": { schema: messageRequestSchema } } },
  },
  responses: {
    200: answer(
      "This Idempotency-Key has published it before, or it was a dry run: of which an API key may ask for 60 a minute, and " +
        "hears of no unknown tokens if it may not read.",
      z.union([publishedSchema, dryRunSchema]),
    ),
    202: {
      ...answer("It is stored; the delivery sends it when its time comes.", publishedSchema),
      headers: locationHeader,
    },
    ...memberProblems,
    400: problem(
      "`json-malformed`, `body-invalid`, `condition-invalid`, `schedule-in-past`, `schedule-too-far`, " +
        "`notification-too-large`, `idempotency-key-malformed`",
    ),
    404: problem(
      "`project-unknown`, `topic-unknown`, `token-not-found`; of `replaces`: `message-not-found`",
    ),
    409: problem(
      "`idempotency-key-reused`; of `replaces`: `message-started`, `message-ended`, `message-replaced` with `messageId`",
    ),
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
    429: problem(
      "`message-quota-reached`, `dry-run-limit-reached`, `too-many-at-once`, with Retry-After",
    ),
    ...writeProblems,
  },
});

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The latest messages that pass the filter, newest first",
  security: securityOf("GET /v1/projects/:project/messages"),
  request: {
    params: projectParameter,
    query: messageFilterSchema.extend({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .default(20)
        .describe("The most messages that the page has."),
      before: z.uuid().optional().describe("`next` of the answer before."),
    }),
  },
  responses: {
    200: answer("A page of them.", messageListSchema),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`"),
    429: problem("`too-many-at-once`, with Retry-After"),
  },
});

const statusRoute = createRoute({
  method: "get",
  path: `${path}/{id}`,
  summary: "What has become of a message",
  security: securityOf("GET /v1/projects/:project/messages/:id"),
  request: { params: messageParameters },
  responses: {
    200: answer("All that is known of it.", messageStatusSchema),
    ...memberProblems,
    404: problem("`project-unknown`, `message-not-found`"),
  },
});

const cancelRoute = createRoute({
  method: "post",
  path: `${path}/{id}/cancel`,
  summary: "End a message: what is on its way still arrives",
  security: securityOf("POST /v1/projects/:project/messages/:id/cancel"),
  request: { params: messageParameters },
  responses: {
    200: answer(
      "It is cancelled, and no push of it begins any more. An API key that may not read is told its state alone.",
      z.union([messageStatusSchema, messageBriefSchema]),
    ),
    ...memberProblems,
    404: problem("`project-unknown`, `message-not-found`"),
    409: problem("`message-ended`, `message-replaced` with `messageId`"),
    ...writeProblems,
  },
});

const moveRoute = createRoute({
  method: "post",
  path: `${path}/{id}/move`,
  summary: "Move a scheduled message to another time: it gets a new id",
  security: securityOf("POST /v1/projects/:project/messages/:id/move"),
  middleware: jsonBody(limits.registrationBodyBytes, messageMoveSchema),
  request: {
    params: messageParameters,
    headers: idempotencyHeader,
    body: { required: true, content: { "application/json": { schema: messageMoveSchema } } },
  },
  responses: {
    200: answer("A request with this Idempotency-Key has moved it before.", publishedSchema),
    202: {
      ...answer(
        "The message is cancelled, and this one goes in its place. An API key that may not read hears of no unknown tokens.",
        publishedSchema,
      ),
      headers: locationHeader,
    },
    ...bodyProblems,
    ...memberProblems,
    400: problem(
      "`json-malformed`, `body-invalid`, `condition-invalid`, `schedule-in-past`, `schedule-too-far`, " +
        "`notification-too-large`, `idempotency-key-malformed`",
    ),
    404: problem("`project-unknown`, `message-not-found`, `topic-unknown`, `token-not-found`"),
    409: problem(
      "`message-started`, `message-ended`, `message-replaced` with `messageId`, `idempotency-key-reused`",
    ),
    429: problem("`message-quota-reached`, with Retry-After"),
  },
});

/** One looks at every live registration, if its target is a condition: on a large audience for seconds, in short pieces. */
const dryRunsAtOnce = {
  perCaller: { atOnce: 2, waiting: 8 },
  inAll: { atOnce: 4, waiting: 40 },
};

/** Routes that senders call with an API key. The project is in the context already, and the key was looked at. */
export function addMessageRoutes(app: OpenAPIHono<ProjectEnv>, messages: Messages): void {
  const dryRunRoom = createMinuteRoom(dryRunsPerMinute);
  const takeTurn = turnsOf(dryRunsAtOnce);

  app.openapi(publishRoute, async (context) => {
    const project = context.get("project");
    const request = context.req.valid("json");
    if (request.dryRun === true) {
      const { caller, asker } = context.var;
      const waitSeconds = caller.kind === "api-key" ? await dryRunRoom(asker.actor) : null;
      if (waitSeconds !== null) {
        throw new HttpProblem("dry-run-limit-reached", undefined, waitSeconds);
      }
      const endTurn = await takeTurn(asker);
      const result = await messages
        .dryRun(project, request, context.req.raw.signal)
        .finally(endTurn);
      if (result.kind === "refused") throw refused(result);
      const { unknown, ...counted } = result.dryRun;
      const shown = unknown !== undefined && mayRead(caller, project.id) ? { unknown } : {};
      return context.json({ ...counted, ...shown }, 200);
    }
    const key = context.req.valid("header")[idempotencyKeyName];
    const result = await messages.publish(project, request, context.get("asker"), key);
    if (result.kind === "refused") throw refused(result);
    const { published } = result;
    if (result.kind === "repeated") return context.json(published, 200);
    context.header("Location", addressOf(project, published));
    return context.json(published, 202);
  });

  app.openapi(listRoute, async (context) => {
    const { limit, before, ...filter } = context.req.valid("query");
    const options = { limit, filter, ...(before === undefined ? {} : { before }) };
    return context.json(await messages.list(context.get("project"), options), 200);
  });

  app.openapi(statusRoute, async (context) => {
    const status = await messages.status(context.get("project"), context.req.valid("param").id);
    if (status === null) throw new HttpProblem("message-not-found");
    return context.json(status, 200);
  });

  app.openapi(cancelRoute, async (context) => {
    const { id } = context.req.valid("param");
    const result = await messages.cancel(context.get("project"), id, context.get("asker"));
    if (result.kind === "refused") throw refused(result);
    const { status } = result;
    const reads = mayRead(context.get("caller"), context.get("project").id);
    return context.json(reads ? status : { id: status.id, state: status.state }, 200);
  });

  app.openapi(moveRoute, async (context) => {
    const project = context.get("project");
    const result = await messages.move(
      project,
      context.req.valid("param").id,
      context.req.valid("json"),
      context.get("asker"),
      context.req.valid("header")[idempotencyKeyName],
    );
    const reads = mayRead(context.get("caller"), project.id);
    if (result.kind === "refused") throw refused(reads ? result : aboutTime(result));
    const { unknown, ...published } = result.published;
    if (result.kind === "repeated") return context.json(published, 200);
    const shown = unknown !== undefined && reads ? { unknown } : {};
    context.header("Location", addressOf(project, published));
    return context.json({ ...published, ...shown }, 202);
  });
}

/** The refusal of a move, without the fields that the caller did not send. */
function aboutTime({ fields = [], ...refusal }: MessageRefusal): MessageRefusal {
  const sent = fields.filter(({ path: field }) => field.startsWith("schedule"));
  return { ...refusal, ...(sent.length === 0 ? {} : { fields: sent }) };
}

function addressOf(project: { name: string }, { id }: { id: string }): string {
  return `/v1/projects/${project.name}/messages/${id}`;
}

/** As it is answered. */
export function refused(refusal: MessageRefusal): HttpProblem {
  const { code, fields, retryAfterSeconds, messageId } = refusal;
  return new HttpProblem(code, fields, retryAfterSeconds, messageId);
}
