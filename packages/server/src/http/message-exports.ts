import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { messageFilterSchema } from "@sineta/protocol";
import type { Messages } from "../messages/messages.ts";
import {
  csvAnswer,
  csvStyleQuery,
  fileOfMessage,
  fileOfProject,
  takenAs,
  tokensQuery,
} from "./csv-exports.ts";
import { exportProblems, type Exports } from "./exports.ts";
import { memberProblems, problem, projectParameter, securityOf, writeProblems } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/messages";
const entry = "/v1/projects/:project/messages";

const listExportRoute = createRoute({
  method: "get",
  path: `${path}/export`,
  summary: "The messages with their figures, as CSV",
  security: securityOf(`GET ${entry}/export`),
  request: { params: projectParameter, query: messageFilterSchema.extend(csvStyleQuery) },
  responses: {
    200: csvAnswer("One line for each that passes the filter, newest first."),
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
      ...csvStyleQuery,
      ...tokensQuery,
    }),
  },
  responses: {
    200: csvAnswer(
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

/** To be added before the routes of single messages, one of which would take `export` for an id. */
export function addMessageExportRoutes(
  app: OpenAPIHono<ProjectEnv>,
  messages: Messages,
  exported: Exports,
): void {
  app.openapi(listExportRoute, (context) => {
    const project = context.get("project");
    const { separator, words, timeZone, ...filter } = context.req.valid("query");
    const style = { separator, words, timeZone };
    return exported(context, {
      ...fileOfProject("messages", project.name, style),
      open: async () => messages.exportList(project, filter, style),
      line: { action: "messages.exported", subject: project.name, change: takenAs({ filter }) },
    });
  });

  app.openapi(exportRoute, (context) => {
    const { id } = context.req.valid("param");
    const { tokens, ...wanted } = context.req.valid("query");
    const withTokens = tokens === "true" && wanted.table === "registrations";
    const file = wanted.table === "figures" ? "figures" : "exceptions";
    return exported(context, {
      ...fileOfMessage(file, id, wanted),
      async open() {
        const options = { ...wanted, withTokens };
        const lines = await messages.exportOne(context.get("project"), id, options);
        if (lines === null) throw new HttpProblem("message-not-found");
        return lines;
      },
      line: {
        action: "message.exported",
        subject: id,
        change: takenAs({ table: wanted.table, withTokens }),
      },
    });
  });
}
