import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { limits, receiptSchema } from "@sineta/protocol";
import type { Receipts } from "../receipts/receipts.ts";
import { jsonBody } from "./json-body.ts";
import {
  limitedProblems,
  problem,
  projectParameter,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import { demandAnyOrigin, type ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const receiptRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/receipts",
  summary: "Report that a notification was displayed, clicked or closed",
  middleware: [demandAnyOrigin, jsonBody(limits.receiptBodyBytes, receiptSchema)] as const,
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: receiptSchema } } },
  },
  responses: {
    204: { description: "It is kept, and counted if it is the first of its kind." },
    400: problem("`json-malformed`, `body-invalid`"),
    403: problem("`receipt-refused`, `origin-missing`"),
    404: problem("`project-unknown`"),
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
    ...limitedProblems,
    ...writeProblems,
  },
});

/** The route that a browser's worker calls. The project is in the context already. */
export function addReceiptRoute(app: OpenAPIHono<ProjectEnv>, receipts: Receipts): void {
  app.openapi(receiptRoute, async (context) => {
    const taken = await receipts.take({
      project: context.get("project"),
      receipt: context.req.valid("json"),
    });
    if (!taken) throw new HttpProblem("receipt-refused");
    return context.body(null, 204);
  });
}
