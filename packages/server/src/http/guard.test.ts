import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  problemSchema,
  roles,
  scopeSchema,
  type HttpErrorCode,
  type Role,
  type Scope,
} from "@sineta/protocol";
import { permissions, type Permission } from "../access/permissions.ts";
import { appBench, type AppBench } from "../test/app-bench.ts";

let bench: AppBench;
beforeAll(async () => {
  bench = await appBench();
});
afterAll(() => bench.close());

const methods = new Set(["get", "post", "put", "patch", "delete"]);

const openApiSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ security: z.array(z.record(z.string(), z.array(z.string()))).optional() }),
    ),
  ),
});

async function documentedPaths() {
  const response = await bench.app.request("/v1/openapi.json");
  return openApiSchema.parse(await response.json()).paths;
}

/** Every route that the server has, as the table writes it. */
async function routesOf(): Promise<string[]> {
  const paths = await documentedPaths();
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => methods.has(method))
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const undocumented = ["/healthz", "/readyz", "/metrics", "/v1/openapi.json"];
  return [...documented, ...undocumented.map((path) => `GET ${path}`)];
}

test("each route has an entry in the table of permissions, and each entry a route", async () => {
  expect(Object.keys(permissions).toSorted()).toEqual((await routesOf()).toSorted());
});

test("what the OpenAPI document says of a route is what the table says", async () => {
  const paths = await documentedPaths();
  for (const [route, permission] of Object.entries(permissions)) {
    const [method = "", path = ""] = route.split(" ");
    const operation = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    if (operation === undefined) continue;
    expect([route, operation.security ?? []]).toEqual([route, expectedSecurity(permission)]);
  }
});

test("what asks for nobody is this, and no program does what owners alone may", () => {
  const without = Object.entries(permissions).filter(
    ([, permission]) => !asks(permission) && permission.who !== "doctor",
  );
  const project = "/v1/projects/:project";
  expect(without.map(([route]) => route).toSorted()).toEqual(
    [
      `DELETE ${project}/registrations/:token`,
      `DELETE ${project}/registrations/:token/topics/:topic`,
      "GET /healthz",
      "GET /images/:file",
      "GET /readyz",
      "GET /v1/openapi.json",
      `GET ${project}/config`,
      "POST /v1/invitations/accept",
      "POST /v1/invitations/look",
      "POST /v1/passkey-login",
      "POST /v1/passkey-login/options",
      `POST ${project}/receipts`,
      `POST ${project}/registrations`,
      `POST ${project}/registrations/:token/forget`,
      `POST ${project}/registrations/:token/look`,
      "POST /v1/session",
      `PUT ${project}/registrations/:token/topics/:topic`,
    ].toSorted(),
  );
  const forOwners = /\/(operators|invitations|api-keys|audit)(\/|$)/;
  for (const [route, permission] of Object.entries(permissions)) {
    if (!route.includes(project) || !forOwners.test(route)) continue;
    expect([route, permission]).toEqual([route, { who: "project", scope: null, role: "owner" }]);
  }
});

function expectedSecurity(permission: Permission): object[] {
  switch (permission.who) {
    case "anybody":
    case "page":
    case "doctor":
      return [];
    case "operator":
      return [{ session: [] }];
    case "project":
      return [
        ...(permission.scope === null ? [] : [{ apiKey: [permission.scope] }]),
        { session: [permission.role] },
      ];
    default:
      return permission satisfies never;
  }
}

/** Whoever may come, by what they bring along. */
type Visitor = {
  name: string;
  headers: () => Promise<Record<string, string>>;
  /** What the table demands of them: the refusal, or none. */
  refusal: (permission: Permission) => string | null;
};

const asks = ({ who }: Permission) => who === "operator" || who === "project";

function keyWith(scopes: readonly Scope[]): Visitor {
  return {
    name: `an API key that may ${scopes.join(" and ")}`,
    headers: async () => ({ Authorization: `Bearer ${await bench.key(undefined, scopes)}` }),
    refusal(permission) {
      if (!asks(permission)) return null;
      if (permission.who !== "project" || permission.scope === null) return "session-missing";
      return scopes.includes(permission.scope) ? null : "scope-missing";
    },
  };
}

function operatorAs(role: Role): Visitor {
  return {
    name: `an operator who is ${role}`,
    headers: async () => (await bench.operator(role)).headers,
    refusal(permission) {
      if (permission.who !== "project") return null;
      return roles.indexOf(role) >= roles.indexOf(permission.role) ? null : "role-missing";
    },
  };
}

async function ownerFrom(page: Record<string, string>): Promise<Record<string, string>> {
  return { Cookie: (await bench.operator("owner")).cookie, ...page };
}

function nobodyLetIn(name: string, headers: Visitor["headers"], code: string): Visitor {
  return { name, headers, refusal: (permission) => (asks(permission) ? code : null) };
}

const visitors: Visitor[] = [
  {
    name: "nobody",
    headers: async () => ({}),
    refusal(permission) {
      if (!asks(permission)) return null;
      const forKeys = permission.who === "project" && permission.scope !== null;
      return forKeys ? "api-key-missing" : "session-missing";
    },
  },
  ...scopeSchema.options.map((scope) => keyWith([scope])),
  keyWith(scopeSchema.options),
  {
    ...keyWith(scopeSchema.options),
    name: "another project's API key",
    headers: async () => ({ Authorization: `Bearer ${await bench.otherKey()}` }),
    refusal(permission) {
      if (!asks(permission)) return null;
      const forKeys = permission.who === "project" && permission.scope !== null;
      return forKeys ? "api-key-invalid" : "session-missing";
    },
  },
  nobodyLetIn(
    "a key that nobody made",
    async () => ({ Authorization: "Bearer sineta_x" }),
    "api-key-invalid",
  ),
  ...roles.map(operatorAs),
  {
    name: "another project's owner",
    headers: async () => {
      const { id: projectId } = await bench.store.projects.ensure("second", 0);
      return (await bench.operator("owner", { projectId })).headers;
    },
    refusal: (permission) => (permission.who === "project" ? "role-missing" : null),
  },
  nobodyLetIn(
    "an ended session",
    async () => {
      const { headers } = await bench.operator("owner");
      const left = await bench.app.request("/v1/session", { method: "DELETE", headers });
      if (left.status !== 204) throw new Error(await left.text());
      return headers;
    },
    "session-ended",
  ),
  nobodyLetIn(
    "an owner whom another site's page sends",
    () => ownerFrom({ "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }),
    "cross-site-refused",
  ),
  nobodyLetIn(
    "an owner whom another page of the same site sends",
    () => ownerFrom({ "Sec-Fetch-Site": "same-site" }),
    "cross-site-refused",
  ),
];

/** Codes by which a guard refuses. */
const refusals: ReadonlySet<string> = new Set<HttpErrorCode>([
  "api-key-missing",
  "api-key-invalid",
  "scope-missing",
  "session-missing",
  "session-ended",
  "role-missing",
  "cross-site-refused",
]);

describe.for(Object.entries(permissions))("%s", ([route, permission]) => {
  test.for(visitors)("$name", async ({ headers, refusal }) => {
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replace(":project", "default").replaceAll(/:\w+/g, "none");
    const response = await bench.app.request(path, {
      method,
      headers: {
        ...(await headers()),
        ...(method === "GET" ? {} : { "Content-Type": "application/json" }),
      },
      ...(method === "GET" || method === "DELETE" ? {} : { body: "[]" }),
    });
    const code = await codeOf(response);
    // Whoever is let in may still have asked for something that is not there.
    expect(refusals.has(code) ? code : null).toBe(refusal(permission));
  });
});

/** The code of a problem; empty where it is none. */
async function codeOf(response: Response): Promise<string> {
  if (response.headers.get("Content-Type") !== "application/problem+json") {
    // An export counts for its caller until it has been read.
    await response.body?.cancel();
    return "";
  }
  return problemSchema.parse(await response.json()).code;
}

test("a route that somebody added without an entry answers nobody", async () => {
  const own = await appBench();
  own.app.get("/v1/forgotten", (context) => context.text("secret"));
  const headers = { Authorization: `Bearer ${await own.key()}` };
  expect(await codeOf(await own.app.request("/v1/forgotten", { headers }))).toBe("route-unknown");
  await own.close();
});
