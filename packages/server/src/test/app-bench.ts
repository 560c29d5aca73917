/** The whole HTTP interface on a database of its own, asked by Request -> Response without a socket. */
import { randomBytes, randomUUID, randomUUIDv7 } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  httpErrors,
  problemSchema,
  registrationResponseSchema,
  scopeSchema,
  type HttpErrorCode,
  type Role,
  type Scope,
} from "@sineta/protocol";
import { createAttention } from "../audience/attention.ts";
import { createApiKeys } from "../access/api-keys/api-keys.ts";
import { createProjectSettings } from "../access/quotas/project-settings.ts";
import { createOperatorAccess } from "../access/operators/create-access.ts";
import { createPasswords, type PasswordWork } from "../access/operators/passwords.ts";
import { createApp } from "../http/app.ts";
import { sessionCookieName } from "../http/credentials.ts";
import { createMessageWatch } from "../http/message-watch.ts";
import { readSite } from "../http/site.ts";
import { createLog } from "../log.ts";
import { createImages } from "../images/images.ts";
import { createMessages } from "../messages/create-messages.ts";
import { createMetrics } from "../metrics/create-metrics.ts";
import { openDefaultProject } from "../projects/open.ts";
import { createPageOrigins } from "../projects/page-origins.ts";
import { createReceipts } from "../receipts/receipts.ts";
import { createRegistrations } from "../registrations/registrations.ts";
import { createUnknownKeys } from "../registrations/unknown-keys.ts";
import { openVault } from "../secrets/vault.ts";
import type { CheckSite } from "../site-check/check-site.ts";
import { findMembership } from "../store/contract/bench.ts";
import { mustLease, planOn, writePage } from "../store/contract/delivering.ts";
import type { Asker } from "../store/port.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { writeEmptyDatabase } from "../store/sqlite/testing/empty-database.ts";
import { createTopics } from "../topics/topics.ts";
import type { TestBrowser } from "./browser.ts";
import { heldPause } from "./held-pause.ts";
import { testPlaces } from "./places.ts";

/** Sineta's own origin, and the project's only one until another is named. */
export const origin = "https://site.example";
export const registrationsPath = "/v1/projects/default/registrations";

/** How a request differs from a right one: its whole body, single headers (null: without), or fields of the body. */
export type Changes = { body?: unknown; headers?: Record<string, string | null>; more?: object };

export const testAsker: Asker = { actor: { kind: "command-line", name: "test" }, address: null };

/** Of every operator of the bench. */
export const operatorPassword = "sete quedas de madeira";
/** As little as argon2 allows: most tests are about something else. */
export const testPasswordWork: PasswordWork = { memory: 8, passes: 1, parallelism: 1 };
let operatorHash: Promise<string> | undefined;

export type AppBench = Awaited<ReturnType<typeof appBench>>;

/** More than any test asks for that is not about limits. */
const noLimits = { registrationsPerMinute: 1_000_000, receiptsPerMinute: 1_000_000 };

/** The bench's site is nowhere. */
const nothingFound: CheckSite = async (url) => ({ url: url.href, findings: [] });

export async function appBench({
  httpsOnly = false,
  openMetrics = false,
  limits = noLimits,
  trustedProxies = [] as readonly string[],
  /** For operators: when they log in, and what codes are good. */
  operatorsNow = (): number => 1_000,
  /** For browsers: when they register and look. */
  browsersNow = (): number => 1_000,
  freeBytes = async (): Promise<number> => 1_000,
  pauseFlood = async (_milliseconds: number): Promise<unknown> => undefined,
  checkSite = nothingFound,
  /** As SINETA_ORIGINS names them; null: the settings rule. */
  pageOrigins = null as readonly string[] | null,
  /** How old what was read of the settings is. */
  originsNow = (): number => 1_000,
} = {}) {
  const { folder, places } = testPlaces();
  const nowMs = 1_000;
  const logged: string[] = [];
  const log = createLog("trace", { write: (text) => logged.push(text) });
  const databaseFile = join(folder, "test.db");
  writeEmptyDatabase(databaseFile);
  const store = await openSqliteStore(databaseFile, nowMs, { log });
  const opened = await openDefaultProject({ store, dataFolder: folder, randomBytes, nowMs });
  const ownOrigins = new Set([origin]);
  const origins = createPageOrigins({
    own: ownOrigins,
    environment: pageOrigins,
    readSettings: async () => (await store.projects.settings(opened.id)).origins,
    now: originsNow,
  });
  const project = { ...opened, origins };
  const vapidKey = project.keys.current.publicKey;
  const other = await store.projects.ensure("second", nowMs);
  const apiKeys = createApiKeys({ store: store.apiKeys, randomBytes, now: () => nowMs });
  const endpointPolicy = { hosts: [], routes: [] };
  const messages = createMessages({
    store,
    endpointPolicy,
    vapidSubject: "mailto:sineta@example.com",
    newId: randomUUIDv7,
    delivers: () => true,
    now: () => nowMs,
  });
  const pauses = heldPause();
  const watch = createMessageWatch({ messages, store, pause: pauses.pause, log });
  const disk = { freeBytes, lowBytes: 1_000 };
  const metrics = createMetrics({
    store,
    eventStreams: () => watch.count(),
    ...disk,
    now: () => nowMs,
  });
  const access = createOperatorAccess({
    store,
    deviceSecret: project.receiptSecret,
    passwordWork: testPasswordWork,
    vault: openVault({ dataFolder: folder, randomBytes }),
    consoleUrl: `${origin}/`,
    consoleOrigins: ownOrigins,
    randomBytes,
    now: operatorsNow,
  });
  const unknownKeys = createUnknownKeys({ log, now: browsersNow });
  const app = createApp({
    projects: new Map([
      ["default", project],
      ["second", { ...project, ...other }],
    ]),
    registrations: createRegistrations({
      store: store.registrations,
      endpointPolicy,
      unknownKeys,
      randomBytes,
      now: browsersNow,
    }),
    topics: createTopics({ store: store.registrations, now: () => nowMs }),
    receipts: createReceipts({ store: store.receipts, now: () => nowMs }),
    messages,
    delivery: { store, now: () => nowMs },
    doctor: { examine: async () => [], now: () => nowMs },
    drafts: { store: store.drafts, now: () => nowMs },
    images: createImages({ store: store.images, publicUrl: `${origin}/`, now: () => nowMs }),
    topicMembers: { store: store.topics, audit: store.audit, now: () => nowMs },
    topicChanges: { store: store.topics, pause: async () => undefined, now: () => nowMs },
    audience: { store: store.audience, now: () => nowMs },
    attention: createAttention({
      store,
      unknownKeys,
      ...disk,
      keepEndedDays: 30,
      now: () => nowMs,
    }),
    registrationList: { store, now: () => nowMs },
    events: { watch, pause: pauses.pause },
    guard: {
      apiKeys,
      serverProjectId: project.id,
      opened: openMetrics ? ["GET /metrics"] : [],
    },
    operators: {
      access,
      consoleOrigins: ownOrigins,
      consoleUrl: `${origin}/`,
      secureCookies: httpsOnly,
    },
    apiKeys: { apiKeys, now: () => nowMs },
    audit: { store: store.audit, serverProjectId: project.id, now: () => nowMs },
    settings: createProjectSettings({ store: store.projects, now: () => nowMs }),
    installation: {
      serverUrl: `${origin}/`,
      publicUrlIsSet: true,
      allowLoopback: false,
      worker: "/sineta-sw.js",
      vapidSubject: "mailto:sineta@example.com",
      keepDays: { ended: 30, receipts: 90, audit: 365 },
      version: "0.1.0",
    },
    checkSite,
    metrics,
    trustedProxies,
    limits,
    pauseFlood,
    site: readSite(
      places,
      {
        server: "",
        project: "default",
        vapidKey,
        worker: "/sineta-sw.js",
        allowLoopback: false,
      },
      ownOrigins,
    ),
    checkReady: () => store.check(),
    log,
    newRequestId: randomUUID,
    httpsOnly,
  });

  return {
    app,
    databaseFile,
    store,
    project,
    logged,
    apiKeys,
    access,
    messages,
    metrics,
    watch,
    pauses,
    live: () => store.registrations.countLive(project.id),
    find: (token: string) => store.registrations.find(project.id, token),

    /** Registers the browser. */
    post: (browser: TestBrowser, { body, headers = {}, more = {} }: Changes = {}) => {
      const all = new Headers({
        Origin: origin,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": browser.clientSecret,
      });
      for (const [name, value] of Object.entries(headers)) {
        if (value === null) all.delete(name);
        else all.set(name, value);
      }
      const content = body ?? { subscription: browser.subscription, vapidKey, ...more };
      return app.request(registrationsPath, {
        method: "POST",
        headers: all,
        body: typeof content === "string" ? content : JSON.stringify(content),
      });
    },

    /** A new API key of the project, which may do everything that keys may. */
    key: async (projectId = project.id, scopes: readonly Scope[] = scopeSchema.options) =>
      (await apiKeys.create(projectId, { name: "test", scopes, expiresAtMs: null }, testAsker)).key,
    /** A new API key of another project that the server has. */
    otherKey: async () =>
      (
        await apiKeys.create(
          other.id,
          { name: "test", scopes: scopeSchema.options, expiresAtMs: null },
          testAsker,
        )
      ).key,

    /** A new operator with this role, who is logged in: `headers` are those of a page of the console. */
    async operator(
      role: Role,
      { projectId = project.id, email = `${randomUUID()}@site.example` } = {},
    ) {
      operatorHash ??= createPasswords({ randomBytes, work: testPasswordWork }).hash(
        operatorPassword,
      );
      const added = await store.operators.add(
        { email, name: role, passwordHash: await operatorHash },
        { projectId, role },
        { ...testAsker, projectId, action: "operator.created", subject: email, change: { role } },
        nowMs,
      );
      if (added === null) throw new Error(`there is an operator ${email} already`);
      const session = await access.sessions.start(
        { id: added, email, verified: null },
        { address: "192.0.2.1", userAgent: "test" },
        "password",
      );
      if (session === null || "retryAfterSeconds" in session) {
        throw new Error("the session did not begin");
      }
      const cookie = `${sessionCookieName(httpsOnly)}=${session.token}`;
      return { id: added, email, cookie, headers: { Cookie: cookie, Origin: origin } };
    },

    /** Asks as a sender does, at an address below the project's. A body makes it a POST. */
    ask: (path: string, key: string | null, body?: unknown, headers: Record<string, string> = {}) =>
      app.request(`/v1/projects/default/${path}`, {
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),

    /** Publishes a message to everybody and starts sending it. @returns its id */
    async startMessage(projectId = project.id): Promise<string> {
      const id = randomUUIDv7();
      const message = {
        id,
        projectId,
        target: { kind: "all" as const },
        notification: { title: "Olá" },
        data: null,
        ttlSeconds: 60,
        urgency: "normal" as const,
        collapseKey: null,
        scheduledAtMs: nowMs,
        localTime: null,
        replaces: null,
      };
      await store.messages.publish(message, nowMs);
      await store.delivery.startSending(id, nowMs);
      return id;
    },

    /** Sends a message to one registration, and this comes of it. */
    async deliver(token: string, kind: "accepted" | "gone"): Promise<void> {
      const on = { store, projectId: project.id };
      const { id } = await planOn(on, await this.startMessage(), { keys: 100, dueAt: () => nowMs });
      const batch = await mustLease(store, nowMs, { messageId: id });
      const sentTo = await store.registrations.find(project.id, token);
      if (sentTo === null) throw new Error("there is no such registration");
      const walked = [{ registrationId: sentTo.id, generation: sentTo.generation, kind }];
      await writePage(store, batch, { walked }, nowMs);
    },

    /** Looks how the server knows the browser. */
    look: (
      token: string,
      clientSecret: string,
      {
        headers = {},
        project: name = "default",
      }: { headers?: Record<string, string | null>; project?: string } = {},
    ) => {
      const all = new Headers({ Origin: origin, "Content-Type": "text/plain;charset=UTF-8" });
      for (const [header, value] of Object.entries(headers)) {
        if (value === null) all.delete(header);
        else all.set(header, value);
      }
      return app.request(`/v1/projects/${name}/registrations/${token}/look`, {
        method: "POST",
        headers: all,
        // Of bytes the type is what the headers say, and nothing else.
        body: new TextEncoder().encode(clientSecret),
      });
    },

    /** Leaves. */
    remove: (token: string, clientSecret: string) =>
      app.request(`${registrationsPath}/${token}`, {
        method: "DELETE",
        headers: { Origin: origin, "Sineta-Client-Secret": clientSecret },
      }),

    /** Joins or leaves a topic. */
    topic: (
      method: "PUT" | "DELETE",
      [token, name]: [token: string, name: string],
      headers: Record<string, string>,
    ) =>
      app.request(`${registrationsPath}/${token}/topics/${name}`, {
        method,
        headers: { Origin: origin, ...headers },
      }),

    /** What the registration belongs to: its user, and its topics by name. */
    async membership(token: string) {
      const id = (await store.registrations.find(project.id, token))?.id ?? 0;
      const { userId, topics } = await findMembership(store, id);
      return { userId, topics: topics.map(({ name }) => name).toSorted() };
    },

    async close() {
      watch.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function tokenOf(response: Response): Promise<string> {
  return registrationResponseSchema.parse(await response.clone().json()).token;
}

/** The answer is this error of the catalogue, in every respect. */
export async function expectProblem(response: Response, code: HttpErrorCode) {
  const problem = problemSchema.parse(await response.clone().json());
  expect({ status: response.status, code: problem.code }).toEqual({
    status: httpErrors[code].status,
    code,
  });
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  expect(problem.status).toBe(response.status);
  expect(problem.type).toBe(`${origin}/docs/errors#${code}`);
  return problem;
}
