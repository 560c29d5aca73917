/** The whole HTTP interface on a database of its own, asked by Request -> Response without a socket. */
import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  httpErrors,
  problemSchema,
  registrationResponseSchema,
  type HttpErrorCode,
} from "@sineta/protocol";
import { createApp } from "../http/app.ts";
import { readSite } from "../http/site.ts";
import { createLog } from "../log.ts";
import { openDefaultProject } from "../projects/open.ts";
import { createReceipts } from "../receipts/receipts.ts";
import { createRegistrations } from "../registrations/registrations.ts";
import { findMembership } from "../store/contract/bench.ts";
import { openSqliteStore } from "../store/sqlite/open.ts";
import { createTopics } from "../topics/topics.ts";
import type { TestBrowser } from "./browser.ts";
import { testPlaces } from "./places.ts";

/** The project's only origin. */
export const origin = "https://site.example";
export const registrationsPath = "/v1/projects/default/registrations";

/** How a request differs from a right one: its whole body, single headers (null: without), or fields of the body. */
export type Changes = { body?: unknown; headers?: Record<string, string | null>; more?: object };

export type AppBench = Awaited<ReturnType<typeof appBench>>;

export async function appBench({ httpsOnly = false } = {}) {
  const { folder, places } = testPlaces();
  const nowMs = 1_000;
  const logged: string[] = [];
  const store = await openSqliteStore(join(folder, "test.db"), nowMs);
  const opened = await openDefaultProject({ store, dataFolder: folder, randomBytes, nowMs });
  const project = { ...opened, origins: new Set([origin]) };
  const vapidKey = project.keys.current.publicKey;
  const app = createApp({
    projects: new Map([["default", project]]),
    registrations: createRegistrations({
      store: store.registrations,
      endpointPolicy: { hosts: [], routes: [] },
      randomBytes,
      now: () => nowMs,
    }),
    topics: createTopics({ store: store.registrations, now: () => nowMs }),
    receipts: createReceipts({ store: store.receipts, now: () => nowMs }),
    site: readSite(places, {
      server: "",
      project: "default",
      vapidKey,
      worker: "/sineta-sw.js",
      allowLoopback: false,
    }),
    checkReady: () => store.check(),
    log: createLog("trace", { write: (text) => logged.push(text) }),
    newRequestId: randomUUID,
    httpsOnly,
  });

  return {
    app,
    store,
    project,
    logged,
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
  return problem;
}
