import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { limits, siteCheckRequestSchema, siteCheckSchema } from "@sineta/protocol";
import type { ActiveProject } from "../projects/project.ts";
import type { CheckSite } from "../site-check/check-site.ts";
import { fewAtOnce } from "./few-at-once.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  memberProblems,
  problem,
  projectParameter,
  securityOf,
  unsupportedBodyProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/** For each address and project: each check makes up to some twenty requests. */
export const siteChecksPerMinute = 10;
/** A page's tags take some hundred megabytes, if it is made for that. */
const checksAtOnce = {
  perCaller: { atOnce: 1, waiting: 4 },
  inAll: { atOnce: 2, waiting: 8 },
};

const checkRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/site-checks",
  summary: "Look at a page of the project's, and tell what it lacks for the bell to work",
  security: securityOf("POST /v1/projects/:project/site-checks"),
  middleware: [
    jsonBody(limits.registrationBodyBytes, siteCheckRequestSchema),
    fewAtOnce(checksAtOnce),
  ] as const,
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: siteCheckRequestSchema } } },
  },
  responses: {
    200: answer("What was found.", siteCheckSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    401: memberProblems[401],
    403: problem("`scope-missing`, `role-missing`, `cross-site-refused`, `origin-not-allowed`"),
    404: problem("`project-unknown`"),
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
    429: problem("`too-many-requests`, `too-many-at-once`, with Retry-After"),
  },
});

/** A route for whoever puts the bell on the site. */
export function addSiteCheckRoute(app: OpenAPIHono<ProjectEnv>, checkSite: CheckSite): void {
  app.openapi(checkRoute, async (context) => {
    const project: ActiveProject = context.get("project");
    const url = new URL(context.req.valid("json").url);
    if (!context.get("origins").has(url.origin)) throw new HttpProblem("origin-not-allowed");
    const vapidKeys = project.keys.all.map(({ publicKey }) => publicKey);
    return context.json(await checkSite(url, { vapidKeys }), 200);
  });
}
