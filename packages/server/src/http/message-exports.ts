import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { csvSeparatorSchema, messageFilterSchema } from "@sineta/protocol";
import type { Messages } from "../messages/messages.ts";
import type { AuditStore } from "../store/port.ts";
import { exportProblems, type Exports } from "./exports.ts";
import { memberProblems, problem, projectParameter, securityOf, writeProblems } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/messages";
const entry = "/v1/projects/:project/messages";

const separator = csvSeparatorSchema.default("comma");

const table = (description: string) => ({
  description: `${description} A text that a spreadsheet would take for a formula has an apostrophe before it. UTF-8 with a byte order mark.`,
  content: { "text/csv": { schema: z.string() } },
});

const listExportRoute = createRoute({
  method: "get",
  path: `${path}/export`,
  summary: "The messages with their figures, as CSV",
  security: securityOf(`GET ${entry}/export`),
  request: { params: projectParameter, query: messageFilterSchema.extend({ separator }) },
  responses: {
    200: table("One line for each that passes the filter, newest first."),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`"),
    ...exportProblems,
    ...writeProblems,
  },
});

const exportRoute = createRoute({
  method: "get",
  path: `${path}/{id}/export`,
  summary: "One message as CSV: who did not simply accept it, or its figures",
  security: securityOf(`GET ${entry}/:id/export`),
  request: {
    params: projectParameter.extend({ id: z.string().describe("The message's id.") }),
    query: z.object({
      table: z
        .enum(["registrations", "figures"])
        .default("registrations")
        .describe(
          "The registrations that did not simply accept the message, or its figures by push service.",
        ),
      separator,
    }),
  },
  responses: {
    200: table(
      "`registrations`: one line for each that is tried again, gone, rejected or failed. `figures`: one for each " +
        "push service, and one for all.",
    ),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`, `message-not-found`"),
    ...exportProblems,
    ...writeProblems,
  },
});

export type MessageExportParts = { messages: Messages; audit: AuditStore; now: () => number };

/** To be added before the routes of single messages, one of which would take `export` for an id. */
export function addMessageExportRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { messages, audit, now }: MessageExportParts,
  exported: Exports,
): void {
  /** Whoever takes it away leaves a line. */
  const leaveLine = (context: Context<ProjectEnv>, action: string, subject: string) => {
    const projectId = context.get("project").id;
    return audit.append(
      { ...context.get("asker"), projectId, action, subject, change: null },
      now(),
    );
  };

  const contentType = "text/csv; charset=utf-8";

  app.openapi(listExportRoute, (context) => {
    const project = context.get("project");
    const { separator: between, ...filter } = context.req.valid("query");
    return exported(context, {
      contentType,
      fileName: `sineta-messages-${project.name}.csv`,
      async open() {
        await leaveLine(context, "messages.exported", project.name);
        return messages.exportList(project, filter, between);
      },
    });
  });

  app.openapi(exportRoute, (context) => {
    const { id } = context.req.valid("param");
    const wanted = context.req.valid("query");
    return exported(context, {
      contentType,
      fileName: `sineta-message-${id}-${wanted.table}.csv`,
      async open() {
        const lines = await messages.exportOne(context.get("project"), id, wanted);
        if (lines === null) throw new HttpProblem("message-not-found");
        await leaveLine(context, "message.exported", id);
        return lines;
      },
    });
  });
}
