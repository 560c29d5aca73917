import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { attentionSchema } from "@sineta/protocol";
import type { ReadAttention } from "../audience/attention.ts";
import { answer, memberProblems, problem, projectParameter, securityOf } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";

const attentionRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/attention",
  summary: "What needs somebody now",
  security: securityOf("GET /v1/projects/:project/attention"),
  request: { params: projectParameter },
  responses: {
    200: answer("What is worst first; nothing where all is well.", attentionSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

export function addAttentionRoute(app: OpenAPIHono<ProjectEnv>, read: ReadAttention): void {
  app.openapi(attentionRoute, async (context) =>
    context.json(await read(context.get("project").id), 200),
  );
}
