import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { auditListSchema, type AuditLineBody } from "@sineta/protocol";
import { allLines, linesOf } from "../access/audit/audit.ts";
import type { AuditLine, AuditStore } from "../store/port.ts";
import { answer, problem, projectParameter, securityOf, sessionProblems } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";

const path = "/v1/projects/{project}/audit";
const entry = "/v1/projects/:project/audit";

const listRoute = createRoute({
  method: "get",
  path,
  summary: "Who did what to what, newest first",
  security: securityOf(`GET ${entry}`),
  request: {
    params: projectParameter,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(500).default(100),
      /** `next` of the answer before. */
      before: z.coerce.number().int().min(1).optional(),
    }),
  },
  responses: {
    200: answer("A page of them.", auditListSchema),
    400: problem("`body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

const exportRoute = createRoute({
  method: "get",
  path: `${path}/export`,
  summary: "All of the audit that is kept, one line of JSON for each entry, newest first",
  security: securityOf(`GET ${entry}/export`),
  request: { params: projectParameter },
  responses: {
    200: { description: "JSON lines (application/x-ndjson), each as the list has them." },
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

export type AuditParts = { store: AuditStore; serverProjectId: number; now: () => number };

/** Routes for a project's owners. */
export function addAuditRoutes(app: OpenAPIHono<ProjectEnv>, parts: AuditParts): void {
  app.openapi(listRoute, async (context) => {
    const { limit, before } = context.req.valid("query");
    const lines = await linesOf(parts, context.get("project").id, {
      limit,
      ...(before === undefined ? {} : { beforeId: before }),
    });
    const next = lines.length < limit ? undefined : lines.at(-1)?.id;
    return context.json({ lines: lines.map(bodyOf), ...(next === undefined ? {} : { next }) }, 200);
  });

  app.openapi(exportRoute, async (context) => {
    const project = context.get("project");
    // Whoever takes it away leaves a line, too.
    await parts.store.append(
      {
        ...context.get("asker"),
        projectId: project.id,
        action: "audit.exported",
        subject: project.name,
        change: null,
      },
      parts.now(),
    );
    const lines = allLines(parts, project.id);
    const text = ReadableStream.from(asText(lines)).pipeThrough(new TextEncoderStream());
    return context.body(text, 200, {
      "Content-Type": "application/x-ndjson",
      "Content-Disposition": `attachment; filename="sineta-audit-${project.name}.ndjson"`,
    });
  });
}

function bodyOf({ id, atMs, actor, action, subject, address, change }: AuditLine): AuditLineBody {
  return { id, at: new Date(atMs).toISOString(), actor, action, subject, address, change };
}

async function* asText(lines: AsyncIterable<AuditLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(bodyOf(line))}\n`;
}
