import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { clientSecretHeader, type HttpErrorCode } from "@sineta/protocol";
import type { Caller } from "../access/caller.ts";
import type { Permission } from "../access/permissions.ts";
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
    /** Those of the project's pages, where the address names one. */
    origins: ReadonlySet<string>;
    /** Of the page that asks, where one must. */
    origin: string;
    /** IP address that the request comes from; empty where it came by no socket. */
    address: string;
    /** Whether that is a proxy's address, which nobody declared: everybody behind it has the same. */
    addressIsShared: boolean;
    /** Whether only scripts read the answer (security-headers.ts). */
    isForScripts?: true;
    /** Set by the guard: a route without an entry in the table of permissions has none. */
    caller: Caller;
    asker: Asker;
    /** Why the caller may not any more, null if it may: for what goes on after it was let in. */
    refusalNow: () => Promise<HttpErrorCode | null>;
  };
};

/** Finds the project of the address, and its pages' origins. @throws HttpProblem `project-unknown` */
export function projectOfAddress(projects: Projects) {
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const project = projects.get(context.req.param("project") ?? "");
    if (project === undefined) throw new HttpProblem("project-unknown");
    context.set("project", project);
    context.set("origins", await project.origins.all());
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
    if (origin !== undefined && !context.get("origins").has(origin)) {
      const shown = origin.slice(0, loggedCharacters).replaceAll(/[^\x21-\x7e]/g, "?");
      if (logged.size < loggedOrigins && !logged.has(shown)) {
        logged.add(shown);
        log.warn(
          { origin: shown },
          `a page of an origin that is not allowed was refused: if it is yours, add it to ${
            context.get("project").origins.source === "environment"
              ? "SINETA_ORIGINS"
              : "the project's settings (Ajustes, or sineta settings origins), or set SINETA_ORIGINS"
          }`,
        );
      }
    }
    await next();
  });
}

const retryAfter = "Retry-After";

/** Which pages may ask: those of the project's origins, or those of any. */
type From = (Permission & { who: "page" })["from"];

/**
 * Lets the project's own pages read the answers, and nobody else's (Fetch standard, "CORS protocol"); `anywhere` lets every page, for what
 * a secret of the browser's own proves. Hono's own middleware answers preflights alone: on the way of other requests it would turn each
 * answer into one with a stream, which costs as much as all other headers.
 */
export function crossOrigin(from: From) {
  /** Never what was only asked for: a header says nothing that a stranger has written. */
  function readerOf(origin: string, context: Context<ProjectEnv>): string | null {
    if (context.get("origins").has(origin)) return origin;
    return from === "anywhere" ? "*" : null;
  }
  const answerPreflight = cors({
    origin: readerOf,
    allowMethods: ["GET", "POST", "PUT", "DELETE"],
    allowHeaders: ["Content-Type", clientSecretHeader],
    maxAge: 7200,
  });
  return createMiddleware<ProjectEnv>(async (context, next) => {
    if (context.req.method === "OPTIONS") return answerPreflight(context, next);
    await next();
    const { headers } = context.res;
    const origin = context.req.header("Origin");
    const reader = origin === undefined ? null : readerOf(origin, context);
    if (reader !== null) headers.set("Access-Control-Allow-Origin", reader);
    if (headers.has(retryAfter)) headers.set("Access-Control-Expose-Headers", retryAfter);
    headers.append("Vary", "Origin");
  });
}

/**
 * For what changes something: only pages of the project may ask for it. Browsers set Origin themselves, a page
 * cannot forge it. @throws HttpProblem `origin-missing`, `origin-not-allowed`
 */
export const demandOrigin = createMiddleware<ProjectEnv>(async (context, next) => {
  const origin = context.req.header("Origin");
  if (origin === undefined) throw new HttpProblem("origin-missing");
  if (!context.get("origins").has(origin)) throw new HttpProblem("origin-not-allowed");
  context.set("origin", origin);
  await next();
});

/**
 * For what a browser proves by a secret, and may do when its page's origin is not allowed any more: any page may ask for it.
 * @throws HttpProblem `origin-missing`
 */
export const demandAnyOrigin = createMiddleware<ProjectEnv>(async (context, next) => {
  if (context.req.header("Origin") === undefined) throw new HttpProblem("origin-missing");
  await next();
});
