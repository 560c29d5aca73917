import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { clientSecretHeader } from "@sineta/protocol";
import type { ActiveProject, Projects } from "../projects/project.ts";
import { HttpProblem } from "./problem.ts";

export type ProjectEnv = { Variables: { project: ActiveProject; origin: string } };

/** Finds the project of the address. @throws HttpProblem `project-unknown` */
export function projectOfAddress(projects: Projects) {
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const project = projects.get(context.req.param("project") ?? "");
    if (project === undefined) throw new HttpProblem("project-unknown");
    context.set("project", project);
    await next();
  });
}

/** Lets the project's own pages read the answers, and nobody else's (Fetch standard, "CORS protocol"). */
export const crossOrigin = cors({
  origin: (origin, context) => {
    const { origins }: ActiveProject = context.get("project");
    return origins.has(origin) ? origin : null;
  },
  allowMethods: ["GET", "POST", "DELETE"],
  allowHeaders: ["Content-Type", clientSecretHeader],
  maxAge: 7200,
});

/**
 * For what changes something: only pages of the project may ask for it. Browsers set Origin themselves, a page
 * cannot forge it. @throws HttpProblem `origin-missing`, `origin-not-allowed`
 */
export const demandOrigin = createMiddleware<ProjectEnv>(async (context, next) => {
  const origin = context.req.header("Origin");
  if (origin === undefined) throw new HttpProblem("origin-missing");
  if (!context.get("project").origins.has(origin)) throw new HttpProblem("origin-not-allowed");
  context.set("origin", origin);
  await next();
});
