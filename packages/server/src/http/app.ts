import { OpenAPIHono } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import type { HttpErrorCode } from "@sineta/protocol";
import type { ReadAttention } from "../audience/attention.ts";
import type { Images } from "../images/images.ts";
import type { Log } from "../log.ts";
import type { Messages } from "../messages/messages.ts";
import type { MetricsText } from "../metrics/create-metrics.ts";
import type { ProjectSettingsAccess } from "../access/quotas/project-settings.ts";
import type { Projects } from "../projects/project.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { Registrations } from "../registrations/registrations.ts";
import type { CheckSite } from "../site-check/check-site.ts";
import { isStorageFull } from "../store/storage-full.ts";
import type { Topics } from "../topics/topics.ts";
import { addAttentionRoute } from "./attention.ts";
import { addApiKeyRoutes, type ApiKeyParts } from "./api-keys.ts";
import { addAudienceRoutes, type AudienceParts } from "./audience.ts";
import { addAuditRoutes, type AuditParts } from "./audit.ts";
import { clientAddress } from "./client-address.ts";
import { logConsoleElsewhere } from "./console-elsewhere.ts";
import { createFloodLog } from "./flood-log.ts";
import { sessionCookieName } from "./credentials.ts";
import { addDeliveryRoutes, type DeliveryRouteParts } from "./delivery.ts";
import { addDoctorRoutes, type DoctorRouteParts } from "./doctor.ts";
import { addDraftRoutes, type DraftParts } from "./drafts.ts";
import { addEventRoute, type EventParts } from "./events.ts";
import { permissions } from "../access/permissions.ts";
import { createExports } from "./exports.ts";
import { fewAtOnce } from "./few-at-once.ts";
import { guardRoutes, type GuardParts } from "./guard.ts";
import { addImageRoutes, imageUploadsPerMinute } from "./images.ts";
import { refuseInvalidInput } from "./invalid-input.ts";
import { addInvitationRoutes, invitationsPerMinute } from "./invitations.ts";
import { addMessageExportRoutes } from "./message-exports.ts";
import { addMessageViewRoutes } from "./message-views.ts";
import { addInstallationRoute, type InstallationParts } from "./installation.ts";
import { addMessageRoutes } from "./messages.ts";
import { addMetricsRoute } from "./metrics.ts";
import { documentInfo, documentText } from "./openapi-document.ts";
import { addOperatorRoutes } from "./operators.ts";
import { crossOrigin, logRefusedOrigins, projectOfAddress, type ProjectEnv } from "./origin.ts";
import { addPasskeyRoutes, passkeyLogInsPerMinute } from "./passkeys.ts";
import { createProblemResponse, HttpProblem } from "./problem.ts";
import { addSettingsRoutes } from "./project-settings.ts";
import { rateLimit, type RateLimitParts } from "./rate-limit.ts";
import { addReceiptRoute } from "./receipts.ts";
import { addRegistrationExportRoute, type RegistrationExportStore } from "./registration-export.ts";
import { addRegistrationListRoutes, type RegistrationListParts } from "./registration-list.ts";
import { addRegistrationRoutes } from "./registrations.ts";
import { RouterOfEachMethod } from "./router.ts";
import { securityHeaders } from "./security-headers.ts";
import { addSecondFactorRoutes } from "./second-factors.ts";
import { addSessionRoutes, logInsPerMinute, type OperatorParts } from "./session.ts";
import { siteResponse, type Site } from "./site.ts";
import { addTopicChangeRoutes, type TopicChangeParts } from "./topic-changes.ts";
import { addSiteCheckRoute, siteChecksPerMinute } from "./site-checks.ts";
import { addTopicMemberRoutes, type TopicMembers } from "./topic-members.ts";
import { addTopicRoutes } from "./topics.ts";

export type AppParts = {
  projects: Projects;
  registrations: Registrations;
  topics: Topics;
  receipts: Receipts;
  messages: Messages;
  delivery: DeliveryRouteParts;
  doctor: DoctorRouteParts;
  drafts: Omit<DraftParts, "messages">;
  images: Images;
  topicMembers: TopicMembers;
  topicChanges: TopicChangeParts;
  audience: AudienceParts;
  attention: ReadAttention;
  registrationList: RegistrationListParts & { store: RegistrationExportStore };
  events: EventParts;
  guard: Omit<GuardParts, "httpsOnly" | "sessions" | "consoleOrigins" | "now">;
  operators: Omit<OperatorParts, "projects">;
  apiKeys: ApiKeyParts;
  audit: AuditParts;
  settings: ProjectSettingsAccess;
  installation: InstallationParts["server"];
  checkSite: CheckSite;
  metrics: MetricsText;
  /** Addresses and blocks whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** For each address and project. */
  limits: { registrationsPerMinute: number; receiptsPerMinute: number };
  /** What a flood waits for before it hears that it is refused. */
  pauseFlood: RateLimitParts["pause"];
  site: Site;
  /** Rejects if the server cannot do its work at the moment. */
  checkReady(): Promise<void>;
  log: Log;
  newRequestId(): string;
  /** Whether visitors reach the site by https only. */
  httpsOnly: boolean;
};

/** Of the routes that everybody may call the one that pages call. */
const configRoute = "GET /v1/projects/:project/config";

/** Lists look through many rows for the few that are meant. A page of the console asks for several at once. */
const listsAtOnce = {
  perCaller: { atOnce: 2, waiting: 20 },
  inAll: { atOnce: 2, waiting: 100 },
};

/** The whole HTTP interface, Request in, Response out. Every error is a problem of the catalogue. */
export function createApp(parts: AppParts): OpenAPIHono<ProjectEnv> {
  const app = new OpenAPIHono<ProjectEnv>({
    router: new RouterOfEachMethod(),
    defaultHook: refuseInvalidInput,
  });

  app.use(securityHeaders(parts.httpsOnly));
  app.use(clientAddress(parts.trustedProxies, parts.log));
  app.use("/v1/projects/:project/*", projectOfAddress(parts.projects));
  const refusedOrigins = logRefusedOrigins(parts.log);
  const visitorsRoutes = Object.entries(permissions).flatMap(([route, permission]) => {
    const [method = "", path = ""] = route.split(" ");
    if (permission.who === "page") return [{ method, path, from: permission.from }];
    return route === configRoute ? [{ method, path, from: "its-origins" as const }] : [];
  });
  const demanding = visitorsRoutes.filter(({ from }) => from === "its-origins");
  for (const path of new Set(demanding.map((route) => route.path))) app.use(path, refusedOrigins);
  for (const { method, path, from } of visitorsRoutes) {
    app.on([method, "OPTIONS"], path, crossOrigin(from));
  }
  // Behind crossOrigin, so that pages can read the refusal; before anything that costs something.
  const limitParts = { tellOfFlood: createFloodLog(parts.log), pause: parts.pauseFlood };
  const { registrationsPerMinute, receiptsPerMinute } = parts.limits;
  const registrationsLimit = rateLimit("registrations", registrationsPerMinute, limitParts);
  const receiptsLimit = rateLimit("receipts", receiptsPerMinute, limitParts);
  // Browsers look without a click. Their looks must not use up the registrations of others behind the same address.
  const looksLimit = rateLimit("looks", registrationsPerMinute, limitParts);
  for (const { method, path } of visitorsRoutes) {
    if (path.endsWith("/receipts")) app.on(method, path, receiptsLimit);
    else app.on(method, path, path.endsWith("/look") ? looksLimit : registrationsLimit);
  }
  const { access, consoleOrigins, secureCookies } = parts.operators;
  const credentials = {
    apiKeys: parts.guard.apiKeys,
    sessions: access.sessions,
    consoleOrigins,
    httpsOnly: secureCookies,
    now: parts.doctor.now,
  };
  app.use("/v1/passkey-login/*", rateLimit("passkey log-ins", passkeyLogInsPerMinute, limitParts));
  // Of this path what asks without a session, alone.
  app.on("POST", "/v1/session", rateLimit("log-ins", logInsPerMinute, limitParts));
  app.use("/v1/invitations/*", rateLimit("invitations", invitationsPerMinute, limitParts));
  guardRoutes(app, { ...parts.guard, ...credentials });
  // Behind the guard: whoever may not check takes no check from those who may.
  app.use(
    "/v1/projects/:project/site-checks",
    rateLimit("site checks", siteChecksPerMinute, limitParts),
  );
  // An examination checks the pages, too.
  app.use(
    "/v1/projects/:project/doctor",
    rateLimit("examinations", siteChecksPerMinute, limitParts),
  );
  app.use(
    "/v1/projects/:project/images",
    rateLimit("image uploads", imageUploadsPerMinute, limitParts),
  );

  const few = fewAtOnce(listsAtOnce);
  for (const list of ["registrations", "messages", "audit"]) {
    app.on("GET", `/v1/projects/:project/${list}`, few);
  }

  addRegistrationRoutes(app, parts.registrations);
  addTopicRoutes(app, parts.topics);
  addReceiptRoute(app, parts.receipts);

  const exported = createExports({ audit: parts.audit.store, now: parts.audit.now });
  addMessageExportRoutes(app, parts.messages, exported);
  addMessageRoutes(app, parts.messages);
  addMessageViewRoutes(app, parts.messages);
  addEventRoute(app, parts.events);
  addDeliveryRoutes(app, parts.delivery);
  addDoctorRoutes(app, { ...parts.doctor, trustedProxies: parts.trustedProxies });
  addDraftRoutes(app, { ...parts.drafts, messages: parts.messages });
  addImageRoutes(app, parts.images);
  addTopicMemberRoutes(app, parts.topicMembers);
  addTopicChangeRoutes(app, parts.topicChanges);
  addAudienceRoutes(app, parts.audience);
  addAttentionRoute(app, parts.attention);
  addRegistrationExportRoute(app, parts.registrationList.store, exported);
  addRegistrationListRoutes(app, parts.registrationList);
  addMetricsRoute(app, parts.metrics);
  addApiKeyRoutes(app, parts.apiKeys);
  addAuditRoutes(app, parts.audit, exported);
  addSettingsRoutes(app, parts.settings);
  addInstallationRoute(app, { settings: parts.settings, server: parts.installation });
  addSiteCheckRoute(app, parts.checkSite);
  const operatorParts = { ...parts.operators, projects: parts.projects };
  addSessionRoutes(app, operatorParts);
  addSecondFactorRoutes(app, access);
  addPasskeyRoutes(app, operatorParts);
  addInvitationRoutes(app, operatorParts, credentials, parts.settings);
  addOperatorRoutes(app, access.operators, parts.apiKeys.apiKeys);

  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "A key that `sineta api-keys create` made, with the scope that is named.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: sessionCookieName(secureCookies),
    description: "An operator who is logged in, with at least the role that is named.",
  });
  // Made once, as bytes that all answers share: it takes 10 ms, and anybody may ask for it.
  let openApiBytes: Uint8Array<ArrayBuffer> | undefined;
  app.get("/v1/openapi.json", (context) => {
    openApiBytes ??= new TextEncoder().encode(
      documentText(app.getOpenAPI31Document(documentInfo(parts.installation.serverUrl))),
    );
    return context.body(openApiBytes, 200, { "Content-Type": "application/json" });
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

  const tellOfHost = logConsoleElsewhere(parts.log, consoleOrigins);
  app.get("*", async (context, next) => {
    tellOfHost(context.req.url);
    const response = siteResponse(parts.site, context.req.path, context.req.raw.headers);
    if (response === null) return next();
    return response;
  });

  const problemResponse = createProblemResponse(parts.installation.serverUrl);
  app.notFound((context) =>
    context.req.path === "/v1" || context.req.path.startsWith("/v1/")
      ? problemResponse("route-unknown")
      : context.text("Not found", 404),
  );

  app.onError((error, context) => {
    if (error instanceof HttpProblem) {
      return problemResponse(
        error.code,
        {
          ...(error.fields === undefined ? {} : { fields: error.fields }),
          ...(error.messageId === undefined ? {} : { messageId: error.messageId }),
        },
        error.retryAfterSeconds,
        error.hint,
      );
    }
    if (error instanceof HTTPException && error.status < 500) {
      return problemResponse(codesOfStatuses[error.status] ?? "body-invalid");
    }
    const { method, routePath } = context.req;
    if (isStorageFull(error)) {
      parts.log.error({ err: error, method, route: routePath }, "the disk is full");
      return problemResponse("storage-full");
    }
    const requestId = parts.newRequestId();
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
