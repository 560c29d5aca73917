import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { actorOf, type Caller } from "../access/caller.ts";
import { permissions, refusalOf, type Permission } from "../access/permissions.ts";
import { hostsOf, isAtKnownHost } from "../projects/origins.ts";
import { callerOf, doctorOf, type Credentials } from "./credentials.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

export type GuardParts = Credentials & {
  /** Whose members may call what belongs to no project: the one that is there from the start. */
  serverProjectId: number;
  /**
   * Routes that ask for no key at a known host, whatever the table says: `GET /metrics` in development. At any other host
   * the table decides, because a stranger's page can give this machine a name of its own (DNS rebinding).
   */
  opened: readonly string[];
};

/**
 * Puts a guard before every route of the table of permissions, and leaves nothing below /v1 that has none. To be called
 * before the routes are added.
 */
export function guardRoutes(app: OpenAPIHono<ProjectEnv>, parts: GuardParts): void {
  for (const [route, permission] of Object.entries(permissions)) {
    const [method = "", path = ""] = route.split(" ");
    const guarded = guard(permission, parts);
    app.on(method, path, parts.opened.includes(route) ? openAtKnownHosts(guarded, parts) : guarded);
  }
  app.use("/v1/*", async (context, next) => {
    if (context.get("caller") === undefined) throw new HttpProblem("route-unknown");
    await next();
  });
}

function openAtKnownHosts(
  guarded: MiddlewareHandler<ProjectEnv>,
  parts: GuardParts,
): MiddlewareHandler<ProjectEnv> {
  const open = guard({ who: "anybody" }, parts);
  const ownHosts = hostsOf(parts.consoleOrigins);
  return (context, next) =>
    (isAtKnownHost(context.req.url, ownHosts) ? open : guarded)(context, next);
}

/**
 * @throws HttpProblem `api-key-missing`, `api-key-invalid`, `scope-missing`, `session-missing`, `session-ended`,
 *   `role-missing`, `cross-site-refused`, `route-unknown`
 */
function guard(permission: Permission, parts: GuardParts): MiddlewareHandler<ProjectEnv> {
  const asksNobody = permission.who === "anybody" || permission.who === "page";
  const find = async (context: Context<ProjectEnv>): Promise<Caller> => {
    if (asksNobody) return { kind: "nobody" };
    return permission.who === "doctor" ? doctorOf(context, parts.now()) : callerOf(context, parts);
  };
  return async (context, next) => {
    const caller = await find(context);
    const projectId = context.get("project")?.id ?? parts.serverProjectId;
    const refusal = refusalOf(permission, caller, projectId);
    if (refusal !== null) throw new HttpProblem(refusal);
    if (caller.kind === "api-key") await parts.apiKeys.used(caller.id);
    context.set("caller", caller);
    context.set("refusalNow", async () => {
      if (asksNobody) return null;
      try {
        return refusalOf(permission, await find(context), projectId);
      } catch (error) {
        if (error instanceof HttpProblem) return error.code;
        throw error;
      }
    });
    context.set("asker", { actor: actorOf(caller), address: context.get("address") });
    await next();
    // What is for one caller is for no cache.
    if (!asksNobody) context.res.headers.set("Cache-Control", "no-store");
  };
}
