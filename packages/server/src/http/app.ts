import { OpenAPIHono } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import type { HttpErrorCode } from "@sineta/protocol";
import type { Log } from "../log.ts";
import type { Projects } from "../projects/project.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { Registrations } from "../registrations/registrations.ts";
import type { Topics } from "../topics/topics.ts";
import { crossOrigin, logRefusedOrigins, projectOfAddress, type ProjectEnv } from "./origin.ts";
import { HttpProblem, problemResponse } from "./problem.ts";
import { addReceiptRoute } from "./receipts.ts";
import { addRegistrationRoutes } from "./registrations.ts";
import { securityHeaders } from "./security-headers.ts";
import { siteResponse, type Site } from "./site.ts";
import { addTopicRoutes } from "./topics.ts";

export type AppParts = {
  projects: Projects;
  registrations: Registrations;
  topics: Topics;
  receipts: Receipts;
  site: Site;
  /** Rejects if the server cannot do its work at the moment. */
  checkReady(): Promise<void>;
  log: Log;
  newRequestId(): string;
  /** Whether visitors reach the site by https only. */
  httpsOnly: boolean;
};

/** The whole HTTP interface, Request in, Response out. Every error is a problem of the catalogue. */
export function createApp(parts: AppParts): OpenAPIHono<ProjectEnv> {
  const app = new OpenAPIHono<ProjectEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      if (result.target === "header") throw new HttpProblem("client-secret-malformed");
      throw new HttpProblem(
        "body-invalid",
        result.error.issues.map(({ path, message }) => ({ path: path.join("."), message })),
      );
    },
  });

  app.use(securityHeaders(parts.httpsOnly));
  app.use(
    "/v1/projects/:project/*",
    projectOfAddress(parts.projects),
    logRefusedOrigins(parts.log),
    crossOrigin,
  );
  addRegistrationRoutes(app, parts.registrations);
  addTopicRoutes(app, parts.topics);
  addReceiptRoute(app, parts.receipts);

  app.doc31("/v1/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Sineta", version: "1" },
  });
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  let ready = true;
  app.get("/readyz", async (context) => {
    try {
      await parts.checkReady();
      ready = true;
    } catch (error) {
      // Asked every few seconds: once is enough.
      if (ready) parts.log.error({ err: error }, "not ready");
      ready = false;
      throw new HttpProblem("not-ready");
    }
    return context.json({ status: "ready" });
  });

  app.get("*", async (context, next) => {
    const response = siteResponse(parts.site, context.req.path, context.req.raw.headers);
    if (response === null) return next();
    return response;
  });

  app.notFound((context) =>
    context.req.path === "/v1" || context.req.path.startsWith("/v1/")
      ? problemResponse("route-unknown")
      : context.text("Not found", 404),
  );

  app.onError((error, context) => {
    if (error instanceof HttpProblem) {
      return problemResponse(
        error.code,
        error.fields === undefined ? {} : { fields: error.fields },
      );
    }
    if (error instanceof HTTPException && error.status < 500) {
      return problemResponse(codesOfStatuses[error.status] ?? "body-invalid");
    }
    const requestId = parts.newRequestId();
    const { method, routePath } = context.req;
    parts.log.error({ err: error, requestId, method, route: routePath }, "request failed");
    return problemResponse("internal", { instance: `urn:uuid:${requestId}` });
  });
  return app;
}

/** For what the framework refuses by itself. */
const codesOfStatuses: Partial<Record<number, HttpErrorCode>> = {
  400: "json-malformed",
  404: "route-unknown",
  405: "route-unknown",
  413: "body-too-large",
  415: "content-type-unsupported",
};
