import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { registrationsAsCsv } from "../audience/export.ts";
import type { Store } from "../store/port.ts";
import { csvAnswer, csvStyleQuery, fileOfProject, takenAs, tokensQuery } from "./csv-exports.ts";
import { exportProblems, type Exports } from "./exports.ts";
import { memberProblems, problem, projectParameter, securityOf, writeProblems } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import {
  registrationFilterOf,
  registrationFilterQuery,
  type FilterParts,
} from "./registration-filter.ts";

const exportRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/registrations/export",
  summary: "The registrations as CSV: never an endpoint or a key",
  security: securityOf("GET /v1/projects/:project/registrations/export"),
  request: {
    params: projectParameter,
    query: z.object({ ...registrationFilterQuery, ...csvStyleQuery, ...tokensQuery }),
  },
  responses: {
    200: csvAnswer("One line for each that passes the filter, newest first."),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`, `topic-unknown`"),
    ...exportProblems,
    ...writeProblems,
  },
});

export type RegistrationExportStore = FilterParts & {
  audience: Pick<Store["audience"], "listDetailed">;
};

/** To be added before the routes of single registrations, one of which would take `export` for a token. */
export function addRegistrationExportRoute(
  app: OpenAPIHono<ProjectEnv>,
  store: RegistrationExportStore,
  exported: Exports,
): void {
  app.openapi(exportRoute, async (context) => {
    const project = context.get("project");
    const { tokens, separator, words, timeZone, ...wanted } = context.req.valid("query");
    const withTokens = tokens === "true";
    const style = { separator, words, timeZone, withTokens };
    return exported(context, {
      ...fileOfProject("registrations", project.name, style),
      async open() {
        const filter = await registrationFilterOf(store, project.id, wanted);
        return registrationsAsCsv(store.audience, project.id, filter, style);
      },
      line: {
        action: "registrations.exported",
        subject: project.name,
        change: takenAs({ filter: wanted, withTokens }),
      },
    });
  });
}
