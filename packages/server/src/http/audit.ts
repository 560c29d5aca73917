import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { auditListSchema, limits, type AuditLineBody } from "@sineta/protocol";
import { allLines, linesOf } from "../access/audit/audit.ts";
import type { AuditFilter, AuditLine, AuditStore } from "../store/port.ts";
import { exportProblems, type Exports } from "./exports.ts";
import { answer, problem, projectParameter, securityOf, sessionProblems } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";

const path = "/v1/projects/{project}/audit";
const entry = "/v1/projects/:project/audit";

const filterQuery = z.object({
  action: z.string().max(100).optional().describe("Exactly this one, such as `api-key.created`."),
  actor: z
    .string()
    .max(limits.typedCharacters)
    .optional()
    .describe("Exactly this name: an e-mail address, an API key's prefix."),
  from: z.iso.datetime({ offset: true }).optional().describe("Lines from this moment on."),
  until: z.iso.datetime({ offset: true }).optional().describe("Lines before this moment."),
});

const listRoute = createRoute({
  method: "get",
  path,
  summary: "Who did what to what, newest first",
  security: securityOf(`GET ${entry}`),
  request: {
    params: projectParameter,
    query: filterQuery.extend({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(500)
        .default(100)
        .describe("The most lines that the page has."),
      before: z.coerce.number().int().min(1).optional().describe("`next` of the answer before."),
    }),
  },
  responses: {
    200: answer("A page of those that are meant.", auditListSchema),
    400: problem("`body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
    429: problem("`too-many-at-once`, with Retry-After"),
  },
});

const exportRoute = createRoute({
  method: "get",
  path: `${path}/export`,
  summary: "All of the audit that is kept and meant, one line of JSON for each entry, newest first",
  security: securityOf(`GET ${entry}/export`),
  request: { params: projectParameter, query: filterQuery },
  responses: {
    200: { description: "JSON lines (application/x-ndjson), each as the list has them." },
    400: problem("`body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
    ...exportProblems,
  },
});

export type AuditParts = { store: AuditStore; serverProjectId: number; now: () => number };

/** Routes for a project's owners. */
export function addAuditRoutes(
  app: OpenAPIHono<ProjectEnv>,
  parts: AuditParts,
  exported: Exports,
): void {
  app.openapi(listRoute, async (context) => {
    const { limit, before, ...filter } = context.req.valid("query");
    const lines = await linesOf(parts, context.get("project").id, {
      ...filterOf(filter),
      limit,
      ...(before === undefined ? {} : { beforeId: before }),
    });
    const next = lines.length < limit ? undefined : lines.at(-1)?.id;
    return context.json({ lines: lines.map(bodyOf), ...(next === undefined ? {} : { next }) }, 200);
  });

  app.openapi(exportRoute, (context) => {
    const project = context.get("project");
    return exported(context, {
      contentType: "application/x-ndjson",
      fileName: () => `sineta-audit-${project.name}.ndjson`,
      open: async () => asText(allLines(parts, project.id, filterOf(context.req.valid("query")))),
      line: { action: "audit.exported", subject: project.name, change: null },
    });
  });
}

function filterOf({ action, actor, from, until }: z.infer<typeof filterQuery>): AuditFilter {
  return {
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actor }),
    ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
    ...(until === undefined ? {} : { untilMs: Date.parse(until) }),
  };
}

function bodyOf({ id, atMs, actor, action, subject, address, change }: AuditLine): AuditLineBody {
  return { id, at: new Date(atMs).toISOString(), actor, action, subject, address, change };
}

async function* asText(lines: AsyncIterable<AuditLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(bodyOf(line))}\n`;
}
