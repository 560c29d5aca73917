import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { limits, originUseSchema, settingsChangeSchema, settingsSchema } from "@sineta/protocol";
import type { ProjectSettingsAccess } from "../access/quotas/project-settings.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  memberProblems,
  problem,
  projectParameter,
  securityOf,
  sessionProblems,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/settings";
const entry = "/v1/projects/:project/settings";

const readRoute = createRoute({
  method: "get",
  path,
  summary: "The project's settings: quotas, and whether browsers report",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("All of them.", settingsSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

const changeRoute = createRoute({
  method: "patch",
  path,
  summary: "Change settings; what is left out stays",
  security: securityOf(`PATCH ${entry}`),
  // By this schema null is not absent: who writes it for a quota may mean that there is none.
  middleware: jsonBody(limits.registrationBodyBytes, settingsSchema),
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: settingsChangeSchema } } },
  },
  responses: {
    200: answer("All of them, as they are now.", settingsSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
    409: problem("`origins-set-by-environment`"),
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
    ...writeProblems,
  },
});

const originsRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/origins",
  summary: "How many live registrations were made on pages of each origin",
  security: securityOf("GET /v1/projects/:project/origins"),
  request: { params: projectParameter },
  responses: {
    200: answer(
      "Origins that may register, then those that may not any more and have some still.",
      originUseSchema,
    ),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

/** Routes for a project's owners; programs that may manage it see them. */
export function addSettingsRoutes(
  app: OpenAPIHono<ProjectEnv>,
  settings: ProjectSettingsAccess,
): void {
  app.openapi(readRoute, async (context) =>
    context.json(await settings.read(context.get("project")), 200),
  );

  app.openapi(changeRoute, async (context) => {
    const { id, name, origins } = context.get("project");
    const change = context.req.valid("json");
    if (change.origins !== undefined && origins.source === "environment") {
      throw new HttpProblem("origins-set-by-environment");
    }
    const changed = await settings.change({ id, name }, change, context.get("asker"));
    origins.changed();
    return context.json(changed, 200);
  });

  app.openapi(originsRoute, async (context) => {
    const live = new Map(await settings.liveByPageOrigin(context.get("project")));
    const allowed = context.get("origins");
    const origins = [...new Set([...allowed, ...live.keys()])].map((origin) => ({
      origin,
      registrations: live.get(origin) ?? 0,
      allowed: allowed.has(origin),
    }));
    return context.json({ origins }, 200);
  });
}
