import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { audienceDaysSchema, audienceLossesSchema, audienceSchema } from "@sineta/protocol";
import { dayNumber, daysBetween, mostDays } from "../audience/days.ts";
import { lossesBetween } from "../audience/losses.ts";
import { audienceBody } from "../audience/now.ts";
import { dayOf } from "../store/day-of.ts";
import type { AudienceStore } from "../store/port.ts";
import { answer, memberProblems, problem, projectParameter, securityOf } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/audience";
const entry = "/v1/projects/:project/audience";

const nowRoute = createRoute({
  method: "get",
  path,
  summary: "How many registrations can be reached, by push service, browser, system and language",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("Live registrations.", audienceSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

const rangeSchema = z.object({
  to: z.iso.date().optional().describe("The last of 30 days; without it, today."),
  from: z.iso
    .date()
    .optional()
    .describe("At most 799 days before `to`; without it, 29 days before."),
});

const daysRoute = createRoute({
  method: "get",
  path: `${path}/days`,
  summary: "What happened to the audience, day by day (UTC)",
  security: securityOf(`GET ${entry}/days`),
  request: { params: projectParameter, query: rangeSchema },
  responses: {
    200: answer("Each day from the first to the last one, in order.", audienceDaysSchema),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`"),
  },
});

const lossesRoute = createRoute({
  method: "get",
  path: `${path}/losses`,
  summary:
    "How many losses there were, by cause, and from how many the registrations have come back",
  security: securityOf(`GET ${entry}/losses`),
  request: { params: projectParameter, query: rangeSchema },
  responses: {
    200: answer("Each loss under one cause.", audienceLossesSchema),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`"),
  },
});

export type AudienceParts = {
  store: Pick<AudienceStore, "now" | "days" | "returns">;
  now: () => number;
};

/** Routes that read figures, which are kept as registrations come and go. */
export function addAudienceRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { store, now }: AudienceParts,
): void {
  app.openapi(nowRoute, async (context) =>
    context.json(audienceBody(await store.now(context.get("project").id)), 200),
  );

  app.openapi(daysRoute, async (context) => {
    const { from, to } = daysOf(context.req.valid("query"), now());
    return context.json(await daysBetween(store, context.get("project").id, from, to), 200);
  });

  app.openapi(lossesRoute, async (context) => {
    const { from, to } = daysOf(context.req.valid("query"), now());
    return context.json(await lossesBetween(store, context.get("project").id, from, to), 200);
  });
}

/** Days of UTC since 1970. */
function daysOf(query: z.infer<typeof rangeSchema>, nowMs: number): { from: number; to: number } {
  const to = query.to === undefined ? dayOf(nowMs) : dayNumber(query.to);
  const from = query.from === undefined ? (to ?? 0) - 29 : dayNumber(query.from);
  if (to === null || from === null || from > to || to - from >= mostDays) {
    const message = `a day that is not after \`to\`, and at most ${mostDays - 1} days before it`;
    throw new HttpProblem("body-invalid", [{ path: "from", message }]);
  }
  return { from, to };
}
