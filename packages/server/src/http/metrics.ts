import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MetricsText } from "../metrics/create-metrics.ts";
import type { Projects } from "../projects/project.ts";
import { bearerKey, type KeyCheck } from "./api-key.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/**
 * `GET /metrics`, for Prometheus. The figures are the server's, so a key of any project will do.
 * @param parts `open`: for development, when no key is needed
 */
export function addMetricsRoute(
  app: OpenAPIHono<ProjectEnv>,
  parts: { metrics: MetricsText; open: boolean; projects: Projects; apiKeys: KeyCheck },
): void {
  const { metrics, open, projects, apiKeys } = parts;

  /** @throws HttpProblem `api-key-missing`, `api-key-invalid` */
  async function demandAnyKey(header: string | undefined): Promise<void> {
    const key = bearerKey(header);
    for (const { id } of projects.values()) {
      if ((await apiKeys.authenticate(id, key)) !== null) return;
    }
    throw new HttpProblem("api-key-invalid");
  }

  app.get("/metrics", async (context) => {
    if (!open) await demandAnyKey(context.req.header("Authorization"));
    return context.body(await metrics.text(), 200, {
      "Content-Type": metrics.contentType,
      "Cache-Control": "no-store",
    });
  });
}
