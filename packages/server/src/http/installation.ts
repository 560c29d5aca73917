import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { installationSchema, type Installation } from "@sineta/protocol";
import type { ProjectSettingsAccess } from "../access/quotas/project-settings.ts";
import { answer, memberProblems, problem, projectParameter, securityOf } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";

const installationRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/installation",
  summary: "What a site needs to know to be given the bell, and how the server was set",
  security: securityOf("GET /v1/projects/:project/installation"),
  request: { params: projectParameter },
  responses: {
    200: answer("All of it.", installationSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

export type InstallationParts = {
  settings: Pick<ProjectSettingsAccess, "read">;
  /** What is the same for every project. */
  server: Omit<
    Installation,
    "displayName" | "origins" | "ownOrigins" | "originsSource" | "vapidKeys"
  >;
};

/** A route for everybody of the project. */
export function addInstallationRoute(
  app: OpenAPIHono<ProjectEnv>,
  { settings, server }: InstallationParts,
): void {
  app.openapi(installationRoute, async (context) => {
    const project = context.get("project");
    const { displayName } = await settings.read(project);
    const vapidKeys = project.keys.all.map(({ publicKey, createdAtMs }) => ({
      publicKey,
      createdAt: new Date(createdAtMs).toISOString(),
    }));
    const origins = {
      origins: [...context.get("origins")],
      ownOrigins: [...project.origins.own],
      originsSource: project.origins.source,
    };
    return context.json({ ...server, displayName, ...origins, vapidKeys }, 200);
  });
}
