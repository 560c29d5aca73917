import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { registrationListSchema, registrationStorySchema } from "@sineta/protocol";
import {
  registrationFilterQuery,
  registrationFilterOf,
  type FilterParts,
} from "./registration-filter.ts";
import { storyBody, summaryBody } from "../audience/registration-body.ts";
import type { Store } from "../store/port.ts";
import {
  answer,
  memberProblems,
  problem,
  projectParameter,
  registrationParameters,
  securityOf,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/registrations";
const entry = "/v1/projects/:project/registrations";

/**
 * How many registrations one request looks at: it takes some 30 ms, for which other operators' reads may wait. Of a topic each is looked
 * up by itself.
 */
const walkedKeys = { all: 50_000, ofTopic: 5_000 };
/** Of messages and of receipts of one registration. */
const storyLimit = 200;

const listRoute = createRoute({
  method: "get",
  path,
  summary: "Registrations, newest first: never an endpoint or a key",
  security: securityOf(`GET ${entry}`),
  request: {
    params: projectParameter,
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(200)
        .default(50)
        .describe("The most registrations that the page has."),
      before: z.coerce.number().int().min(1).optional().describe("`next` of the answer before."),
      ...registrationFilterQuery,
    }),
  },
  responses: {
    200: answer(
      "A part of them: there may be fewer than asked for, and more behind `next`.",
      registrationListSchema,
    ),
    ...memberProblems,
    400: problem("`body-invalid`"),
    404: problem("`project-unknown`, `topic-unknown`"),
    429: problem("`too-many-at-once`, with Retry-After"),
  },
});

const lookRoute = createRoute({
  method: "get",
  path: `${path}/{token}`,
  summary: "One registration, with what happened to it",
  security: securityOf(`GET ${entry}/:token`),
  request: { params: registrationParameters },
  responses: {
    200: answer("All that is known of it.", registrationStorySchema),
    ...memberProblems,
    404: problem("`project-unknown`, `registration-not-found`"),
  },
});

const removeRoute = createRoute({
  method: "post",
  path: `${path}/{token}/remove`,
  summary: "End a registration: nothing is sent to it any more, until its browser registers anew",
  security: securityOf(`POST ${entry}/:token/remove`),
  request: { params: registrationParameters },
  responses: {
    204: { description: "It has ended, by this or before." },
    ...memberProblems,
    404: problem("`project-unknown`, `registration-not-found`"),
    ...writeProblems,
  },
});

export type RegistrationListParts = {
  store: {
    audience: Pick<Store["audience"], "list" | "story" | "remove">;
    registrations: Pick<Store["registrations"], "find">;
    topics: FilterParts["topics"];
  };
  now: () => number;
};

/** Routes by which operators look registrations up, and remove one. */
export function addRegistrationListRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { store, now }: RegistrationListParts,
): void {
  app.openapi(listRoute, async (context) => {
    const { id: projectId } = context.get("project");
    const { limit, before, ...wanted } = context.req.valid("query");
    const filter = await registrationFilterOf(store, projectId, wanted);
    const keys = filter.topicId === undefined ? walkedKeys.all : walkedKeys.ofTopic;
    const page = { limit, keys, beforeId: before };
    const { registrations, next } = await store.audience.list(projectId, filter, page);
    return context.json(
      { registrations: registrations.map(summaryBody), ...(next === null ? {} : { next }) },
      200,
    );
  });

  app.openapi(lookRoute, async (context) => {
    const { token } = context.req.valid("param");
    const story = await store.audience.story(context.get("project").id, token, storyLimit);
    if (story === null) throw new HttpProblem("registration-not-found");
    return context.json(storyBody(story, storyLimit), 200);
  });

  app.openapi(removeRoute, async (context) => {
    const { token } = context.req.valid("param");
    const { id: projectId } = context.get("project");
    const line = {
      ...context.get("asker"),
      projectId,
      action: "registration.removed",
      // Enough to tell it by; the audit is kept for longer than the registration.
      subject: token.slice(0, 8),
      change: null,
    };
    const removed = await store.audience.remove(projectId, token, line, now());
    if (!removed && (await store.registrations.find(projectId, token)) === null) {
      throw new HttpProblem("registration-not-found");
    }
    return context.body(null, 204);
  });
}
