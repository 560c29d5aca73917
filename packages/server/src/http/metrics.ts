import type { OpenAPIHono } from "@hono/zod-openapi";
import type { MetricsText } from "../metrics/create-metrics.ts";
import type { ProjectEnv } from "./origin.ts";

/** `GET /metrics`, for Prometheus. The figures are the server's. */
export function addMetricsRoute(app: OpenAPIHono<ProjectEnv>, metrics: MetricsText): void {
  app.get("/metrics", async (context) =>
    context.body(await metrics.text(), 200, {
      "Content-Type": metrics.contentType,
      "Cache-Control": "no-store",
    }),
  );
}
