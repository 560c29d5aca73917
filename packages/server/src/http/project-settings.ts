import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { limits, settingsChangeSchema, settingsSchema } from "@sineta/protocol";
import type { ProjectSettingsAccess } from "../access/quotas/project-settings.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  memberProblems,
  sessionProblems,
  problem,
  projectParameter,
  securityOf,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";

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
  middleware: jsonBody(limits.registrationBodyBytes),
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: settingsChangeSchema } } },
  },
  responses: {
    200: answer("All of them, as they are now.", settingsSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
    413: problem("`body-too-large`"),
    415: problem("`content-type-unsupported`"),
    ...writeProblems,
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
    const { id, name } = context.get("project");
    const asker = context.get("asker");
    return context.json(await settings.change({ id, name }, context.req.valid("json"), asker), 200);
  });
}
