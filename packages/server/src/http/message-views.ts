import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  exceptionOutcomeSchema,
  messageExceptionsSchema,
  receiptsOverTimeSchema,
} from "@sineta/protocol";
import type { Messages } from "../messages/messages.ts";
import { answer, memberProblems, problem, projectParameter, securityOf } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/messages/{id}";
const entry = "/v1/projects/:project/messages/:id";
const messageParameters = projectParameter.extend({ id: z.string().describe("The message's id.") });

const exceptionsRoute = createRoute({
  method: "get",
  path: `${path}/exceptions`,
  summary: "Who did not simply accept a message, and why",
  security: securityOf(`GET ${entry}/exceptions`),
  request: {
    params: messageParameters,
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .default(100)
        .describe("The most registrations that the page has."),
      after: z.coerce.number().int().min(0).default(0).describe("`next` of the answer before."),
      outcome: exceptionOutcomeSchema.optional().describe("Only registrations with this outcome."),
      reason: z
        .string()
        .max(100)
        .optional()
        .describe("A code, as the message's status has them; of what is gone, `gone`."),
    }),
  },
  responses: {
    200: answer("A page of them.", messageExceptionsSchema),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`, `message-not-found`"),
  },
});

const overTimeRoute = createRoute({
  method: "get",
  path: `${path}/receipts-over-time`,
  summary: "What push services accepted and browsers reported, hour by hour",
  security: securityOf(`GET ${entry}/receipts-over-time`),
  request: { params: messageParameters },
  responses: {
    200: answer("All hours in which there was anything.", receiptsOverTimeSchema),
    ...memberProblems,
    404: problem("`project-unknown`, `message-not-found`"),
  },
});

/** What is told of one message beside its status. */
export function addMessageViewRoutes(app: OpenAPIHono<ProjectEnv>, messages: Messages): void {
  app.openapi(exceptionsRoute, async (context) => {
    const { limit, after, outcome, reason } = context.req.valid("query");
    const { id } = context.req.valid("param");
    const page = await messages.exceptions(context.get("project"), id, {
      limit,
      afterId: after,
      ...(outcome === undefined ? {} : { kind: outcome }),
      ...(reason === undefined ? {} : { reason }),
    });
    if (page === null) throw new HttpProblem("message-not-found");
    return context.json(page, 200);
  });

  app.openapi(overTimeRoute, async (context) => {
    const { id } = context.req.valid("param");
    const hours = await messages.receiptsOverTime(context.get("project"), id);
    if (hours === null) throw new HttpProblem("message-not-found");
    return context.json(hours, 200);
  });
}
