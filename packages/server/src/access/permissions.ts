import { roles, type HttpErrorCode, type Role, type Scope } from "@sineta/protocol";
import type { Caller } from "./caller.ts";

/** Who may call a route. */
export type Permission =
  /** Everybody; who it is is not looked at. */
  | { readonly who: "anybody" }
  /**
   * A page of the project's site; what it changes, the browser's own secret proves. What a browser may do after its page's origin was
   * taken away (leave, be forgotten, report) is open to pages from anywhere.
   */
  | { readonly who: "page"; readonly from: "its-origins" | "anywhere" }
  /** A doctor: it has a token that the project's secret makes (doctor/token.ts). To anybody else there is no such route. */
  | { readonly who: "doctor" }
  /** Whoever is logged in, for what is their own. */
  | { readonly who: "operator" }
  /** Somebody of the project: an API key with this scope (null: none will do), or an operator with at least this role. */
  | { readonly who: "project"; readonly scope: Scope | null; readonly role: Role };

const anybody: Permission = { who: "anybody" };
const page: Permission = { who: "page", from: "its-origins" };
const anyPage: Permission = { who: "page", from: "anywhere" };
const loggedIn: Permission = { who: "operator" };
const sees: Permission = { who: "project", scope: "read", role: "viewer" };
const sends: Permission = { who: "project", scope: "send", role: "editor" };
/** Who writes and publishes: a program publishes what it has at once. */
const writes: Permission = { who: "project", scope: null, role: "editor" };
/** Stops or resumes all delivery: a program that sends may, and of the operators the owners. */
const brakes: Permission = { who: "project", scope: "send", role: "owner" };
const manages: Permission = { who: "project", scope: "manage", role: "editor" };
const sets: Permission = { who: "project", scope: "manage", role: "owner" };
/** Who decides who may do what: never a program, whose key may have been stolen. */
const owns: Permission = { who: "project", scope: null, role: "owner" };

const project = "/v1/projects/:project";

/**
 * Every route that does anything, with who may call it: the one place where that is decided. A route without an entry
 * answers nobody.
 */
export const permissions: Readonly<Record<string, Permission>> = {
  "GET /healthz": anybody,
  "GET /readyz": anybody,
  "GET /metrics": sees,
  "GET /v1/openapi.json": anybody,

  [`GET ${project}/config`]: anybody,
  [`POST ${project}/registrations`]: page,
  [`POST ${project}/registrations/:token/look`]: page,
  [`DELETE ${project}/registrations/:token`]: anyPage,
  [`POST ${project}/registrations/:token/forget`]: anyPage,
  [`PUT ${project}/registrations/:token/topics/:topic`]: page,
  [`DELETE ${project}/registrations/:token/topics/:topic`]: page,
  [`POST ${project}/receipts`]: anyPage,

  [`GET ${project}/audience`]: sees,
  [`GET ${project}/audience/days`]: sees,
  [`GET ${project}/audience/losses`]: sees,
  [`GET ${project}/attention`]: sees,
  [`GET ${project}/registrations`]: sees,
  [`GET ${project}/registrations/export`]: sees,
  [`GET ${project}/registrations/:token`]: sees,
  [`POST ${project}/registrations/:token/remove`]: manages,

  [`POST ${project}/messages`]: sends,
  [`GET ${project}/messages`]: sees,
  [`GET ${project}/messages/export`]: sees,
  [`GET ${project}/messages/:id`]: sees,
  [`GET ${project}/messages/:id/events`]: sees,
  [`GET ${project}/messages/:id/exceptions`]: sees,
  [`GET ${project}/messages/:id/receipts-over-time`]: sees,
  [`GET ${project}/messages/:id/export`]: sees,
  [`POST ${project}/messages/:id/cancel`]: sends,
  [`POST ${project}/messages/:id/move`]: sends,

  [`GET ${project}/delivery`]: sees,
  [`POST ${project}/delivery/hold`]: brakes,
  [`POST ${project}/delivery/resume`]: brakes,

  [`GET ${project}/drafts`]: writes,
  [`GET ${project}/drafts/:id`]: writes,
  [`PUT ${project}/drafts/:id`]: writes,
  [`DELETE ${project}/drafts/:id`]: writes,
  [`POST ${project}/drafts/:id/publish`]: writes,
  [`GET ${project}/images`]: writes,
  [`POST ${project}/images`]: writes,
  [`GET ${project}/images/:hash/uses`]: writes,
  [`DELETE ${project}/images/:hash`]: writes,
  "GET /images/:file": anybody,

  [`GET ${project}/topics`]: sees,
  [`POST ${project}/topics`]: manages,
  [`PATCH ${project}/topics/:topic`]: manages,
  [`DELETE ${project}/topics/:topic`]: manages,
  [`POST ${project}/topics/:topic/join`]: manages,
  [`POST ${project}/topics/:topic/leave`]: manages,

  [`GET ${project}/settings`]: sets,
  [`PATCH ${project}/settings`]: owns,
  [`GET ${project}/origins`]: sets,
  [`GET ${project}/installation`]: sees,
  [`POST ${project}/site-checks`]: manages,
  [`POST ${project}/doctor`]: sets,
  [`POST ${project}/doctor/echo`]: { who: "doctor" },

  "POST /v1/session": anybody,
  "GET /v1/session": loggedIn,
  "DELETE /v1/session": loggedIn,
  "PUT /v1/session/password": loggedIn,
  "POST /v1/session/totp": loggedIn,
  "POST /v1/session/totp/confirm": loggedIn,
  "DELETE /v1/session/totp": loggedIn,
  "POST /v1/session/recovery-codes": loggedIn,
  "POST /v1/session/passkeys/options": loggedIn,
  "GET /v1/session/passkeys": loggedIn,
  "POST /v1/session/passkeys": loggedIn,
  "DELETE /v1/session/passkeys/:id": loggedIn,
  "POST /v1/passkey-login/options": anybody,
  "POST /v1/passkey-login": anybody,
  "GET /v1/sessions": loggedIn,
  "DELETE /v1/sessions/:id": loggedIn,
  "POST /v1/invitations/look": anybody,
  "POST /v1/invitations/accept": anybody,
  [`GET ${project}/invitations`]: owns,
  [`POST ${project}/invitations`]: owns,
  [`DELETE ${project}/invitations/:id`]: owns,
  [`GET ${project}/operators`]: owns,
  [`PUT ${project}/operators/:id`]: owns,
  [`DELETE ${project}/operators/:id`]: owns,

  [`GET ${project}/api-keys`]: owns,
  [`POST ${project}/api-keys`]: owns,
  [`POST ${project}/api-keys/:prefix/rotate`]: owns,
  [`DELETE ${project}/api-keys/:prefix`]: owns,
  [`GET ${project}/audit`]: owns,
  [`GET ${project}/audit/export`]: owns,
};

/** Whether the caller may see messages: what else a route answers may tell as much. */
export function mayRead(caller: Caller, projectId: number): boolean {
  return refusalOf(sees, caller, projectId) === null;
}

/**
 * Decides. @returns null: the caller may; else the code of the refusal
 * @param projectId whose route it is; null where a route belongs to no project
 */
export function refusalOf(
  permission: Permission,
  caller: Caller,
  projectId: number | null,
): HttpErrorCode | null {
  switch (permission.who) {
    case "anybody":
    case "page":
      return null;
    case "doctor":
      return caller.kind === "doctor" ? null : "route-unknown";
    case "operator":
      return caller.kind === "operator" ? null : "session-missing";
    case "project":
      return refusalOfMember(permission, caller, projectId);
    default:
      return permission satisfies never;
  }
}

function refusalOfMember(
  { scope, role }: Permission & { who: "project" },
  caller: Caller,
  projectId: number | null,
): HttpErrorCode | null {
  switch (caller.kind) {
    case "nobody":
    case "doctor":
      return scope === null ? "session-missing" : "api-key-missing";
    case "api-key":
      if (scope === null) return "session-missing";
      if (caller.projectId !== projectId) return "api-key-invalid";
      return caller.scopes.includes(scope) ? null : "scope-missing";
    case "operator": {
      const own = projectId === null ? undefined : caller.roles.get(projectId);
      return own !== undefined && roles.indexOf(own) >= roles.indexOf(role) ? null : "role-missing";
    }
    default:
      return caller satisfies never;
  }
}
