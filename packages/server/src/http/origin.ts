import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { clientSecretHeader, type HttpErrorCode } from "@sineta/protocol";
import type { Caller } from "../access/caller.ts";
import type { Log } from "../log.ts";
import type { ActiveProject, Projects } from "../projects/project.ts";
import type { Asker } from "../store/port.ts";
import { HttpProblem } from "./problem.ts";

export type ProjectEnv = {
  /** What @hono/node-server hands along; a request that came by no socket has none. */
  Bindings: { incoming?: IncomingMessage | Http2ServerRequest };
  Variables: {
    /** Where the address names one. */
    project: ActiveProject;
    /** Of the page that asks, where one must. */
    origin: string;
    /** IP address that the request comes from; empty where it came by no socket. */
    address: string;
    /** Whether that is a proxy's address, which nobody declared: everybody behind it has the same. */
    addressIsShared: boolean;
    /** Set by the guard: a route without an entry in the table of permissions has none. */
    caller: Caller;
    asker: Asker;
    /** Why the caller may not any more, null if it may: for what goes on after it was let in. */
    refusalNow: () => Promise<HttpErrorCode | null>;
  };
};

/** Finds the project of the address. @throws HttpProblem `project-unknown` */
export function projectOfAddress(projects: Projects) {
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const project = projects.get(context.req.param("project") ?? "");
    if (project === undefined) throw new HttpProblem("project-unknown");
    context.set("project", project);
    await next();
  });
}

/** Whoever asks writes the header: without these bounds anybody could fill the log, or steer the terminal it goes to. */
const loggedOrigins = 100;
const loggedCharacters = 300;

/**
 * Tells the operator of each origin whose pages are refused, once: the page's own console names neither the cause nor
 * the remedy. Stands before `crossOrigin`, because a browser that is refused there never sends the request itself.
 */
export function logRefusedOrigins(log: Log) {
  const logged = new Set<string>();
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const origin = context.req.header("Origin");
    if (origin !== undefined && !context.get("project").origins.has(origin)) {
      const shown = origin.slice(0, loggedCharacters).replaceAll(/[^\x21-\x7e]/g, "?");
      if (logged.size < loggedOrigins && !logged.has(shown)) {
        logged.add(shown);
        log.warn(
          { origin: shown },
          "a page of an origin that is not allowed was refused: if it is yours, set SINETA_PUBLIC_URL to its address",
        );
      }
    }
    await next();
  });
}

const exposedHeaders = ["Retry-After"];

const answerPreflight = cors({
  origin: (origin, context) => {
    const { origins }: ActiveProject = context.get("project");
    return origins.has(origin) ? origin : null;
  },
  allowMethods: ["GET", "POST", "PUT", "DELETE"],
  allowHeaders: ["Content-Type", clientSecretHeader],
  exposeHeaders: exposedHeaders,
  maxAge: 7200,
});

/**
 * Lets the project's own pages read the answers, and nobody else's (Fetch standard, "CORS protocol"). Hono's own middleware
 * answers preflights alone: on the way of other requests it would turn each answer into one with a stream, which costs as much as all
 * other headers.
 */
export const crossOrigin = createMiddleware<ProjectEnv>(async (context, next) => {
  if (context.req.method === "OPTIONS") return answerPreflight(context, next);
  await next();
  const { headers } = context.res;
  const origin = context.req.header("Origin");
  if (origin !== undefined && context.get("project").origins.has(origin)) {
    headers.set("Access-Control-Allow-Origin", origin);
  }
  headers.set("Access-Control-Expose-Headers", exposedHeaders.join(","));
  headers.append("Vary", "Origin");
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
