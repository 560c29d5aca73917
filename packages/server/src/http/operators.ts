import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import {
  limits,
  operatorChangedSchema,
  operatorListSchema,
  roleChangeSchema,
} from "@sineta/protocol";
import type { ApiKeys } from "../access/api-keys/api-keys.ts";
import type { Operators } from "../access/operators/operators.ts";
import type { OwnerKept } from "../store/port.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  problem,
  projectParameter,
  securityOf,
  sessionProblems,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";
import { rowId } from "./session.ts";

const path = "/v1/projects/{project}/operators";
const entry = "/v1/projects/:project/operators";
const oneParameter = projectParameter.extend({ id: z.string().describe("The operator's id.") });
const changeProblems = {
  ...sessionProblems,
  404: problem("`project-unknown`, `operator-unknown`"),
  409: problem("`last-owner`"),
  ...writeProblems,
};

const listRoute = createRoute({
  method: "get",
  path,
  summary: "Who has a role in the project",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("All of them, by e-mail address.", operatorListSchema),
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

const changeRoute = createRoute({
  method: "put",
  path: `${path}/{id}`,
  summary: "Give another role",
  security: securityOf(`PUT ${entry}/:id`),
  middleware: jsonBody(limits.registrationBodyBytes, roleChangeSchema),
  request: {
    params: oneParameter,
    body: { required: true, content: { "application/json": { schema: roleChangeSchema } } },
  },
  responses: {
    200: answer("It is the role from the next request on.", operatorChangedSchema),
    400: problem("`json-malformed`, `body-invalid`"),
    ...changeProblems,
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
  },
});

const removeRoute = createRoute({
  method: "delete",
  path: `${path}/{id}`,
  summary: "Take the role away",
  security: securityOf(`DELETE ${entry}/:id`),
  request: { params: oneParameter },
  responses: {
    200: answer("The operator has left the project.", operatorChangedSchema),
    ...changeProblems,
  },
});

/** Routes of owners, who decide who may do what. */
export function addOperatorRoutes(
  app: OpenAPIHono<ProjectEnv>,
  operators: Operators,
  apiKeys: Pick<ApiKeys, "madeBy">,
): void {
  /** Asked for afterwards, when no more can be made. */
  async function keysLeftBy(operatorId: number, projectId: number) {
    const keys = await apiKeys.madeBy(operatorId, projectId);
    return { apiKeys: keys.map(({ prefix, name, scopes }) => ({ prefix, name, scopes })) };
  }

  app.openapi(listRoute, async (context) => {
    const all = await operators.list(context.get("project").id);
    return context.json(
      {
        operators: all.map((operator) => ({
          id: operator.id,
          email: operator.email,
          name: operator.name,
          role: operator.role,
          hasSecondFactor: operator.hasSecondFactor,
          createdAt: momentOf(operator.createdAtMs),
          lastLoginAt: operator.lastLoginAtMs === null ? null : momentOf(operator.lastLoginAtMs),
        })),
      },
      200,
    );
  });

  app.openapi(changeRoute, async (context) => {
    const { role } = context.req.valid("json");
    const projectId = context.get("project").id;
    const id = rowId(context.req.valid("param").id);
    demandChanged(await operators.setRole(id, { projectId, role }, context.get("asker")));
    const left = role === "owner" ? { apiKeys: [] } : await keysLeftBy(id, projectId);
    return context.json(left, 200);
  });

  app.openapi(removeRoute, async (context) => {
    const id = rowId(context.req.valid("param").id);
    const projectId = context.get("project").id;
    demandChanged(await operators.leave(id, projectId, context.get("asker")));
    return context.json(await keysLeftBy(id, projectId), 200);
  });
}

function momentOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function demandChanged(result: OwnerKept): void {
  if (result === "not-found") throw new HttpProblem("operator-unknown");
  if (result === "last-owner") throw new HttpProblem("last-owner");
}
