import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  dryRunSchema,
  idempotencyKeyHeader,
  idempotencyKeySchema,
  limits,
  messageListSchema,
  messageRequestSchema,
  messageStatusSchema,
  publishedSchema,
} from "@sineta/protocol";
import type { MessageRefusal, Messages } from "../messages/messages.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  memberProblems,
  securityOf,
  problem,
  projectParameter,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/messages";
/** As Hono gives header names: in lower case. */
const idempotencyKeyName = idempotencyKeyHeader.toLowerCase();
const messageParameters = projectParameter.extend({ id: z.string() });

const publishRoute = createRoute({
  method: "post",
  path,
  summary: "Publish a message, or look what it would meet (dryRun)",
  security: securityOf("POST /v1/projects/:project/messages"),
  middleware: jsonBody(limits.messageBodyBytes),
  request: {
    params: projectParameter,
    headers: z.object({ [idempotencyKeyName]: idempotencyKeySchema.optional() }),
    body: { required: true, content: { "application/json": { schema: messageRequestSchema } } },
  },
  responses: {
    200: answer(
      "This Idempotency-Key has published it before, or it was a dry run.",
      z.union([publishedSchema, dryRunSchema]),
    ),
    202: {
      ...answer("It is stored; the delivery sends it when its time comes.", publishedSchema),
      headers: z.object({ Location: z.string().meta({ description: "Address of its status." }) }),
    },
    ...memberProblems,
    400: problem(
      "`json-malformed`, `body-invalid`, `condition-invalid`, `schedule-in-past`, `schedule-too-far`, " +
        "`notification-too-large`, `idempotency-key-malformed`",
    ),
    404: problem("`project-unknown`, `topic-unknown`, `token-not-found`"),
    409: problem("`idempotency-key-reused`"),
    413: problem("`body-too-large`"),
    415: problem("`content-type-unsupported`"),
    429: problem("`message-quota-reached`, with Retry-After"),
    ...writeProblems,
  },
});

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The latest messages, newest first",
  security: securityOf("GET /v1/projects/:project/messages"),
  request: {
    params: projectParameter,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** `next` of the answer before. */
      before: z.uuid().optional(),
    }),
  },
  responses: {
    200: answer("A page of them.", messageListSchema),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`"),
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
    200: answer("It is cancelled.", messageStatusSchema),
    ...memberProblems,
    404: problem("`project-unknown`, `message-not-found`"),
    409: problem("`message-ended`"),
    ...writeProblems,
  },
});

/** Routes that senders call with an API key. The project is in the context already, and the key was looked at. */
export function addMessageRoutes(app: OpenAPIHono<ProjectEnv>, messages: Messages): void {
  app.openapi(publishRoute, async (context) => {
    const project = context.get("project");
    const request = context.req.valid("json");
    if (request.dryRun === true) {
      const result = await messages.dryRun(project, request);
      if (result.kind === "refused") throw refused(result);
      return context.json(result.dryRun, 200);
    }
    const key = context.req.valid("header")[idempotencyKeyName];
    const result = await messages.publish(project, request, context.get("asker"), key);
    if (result.kind === "refused") throw refused(result);
    const { published } = result;
    if (result.kind === "repeated") return context.json(published, 200);
    context.header("Location", `/v1/projects/${project.name}/messages/${published.id}`);
    return context.json(published, 202);
  });

  app.openapi(listRoute, async (context) => {
    const { limit, before } = context.req.valid("query");
    const options = { limit, ...(before === undefined ? {} : { before }) };
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
    return context.json(result.status, 200);
  });
}

function refused({ code, fields, retryAfterSeconds }: MessageRefusal): HttpProblem {
  return new HttpProblem(code, fields, retryAfterSeconds);
}
