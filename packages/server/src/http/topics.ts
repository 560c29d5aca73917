import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { ActiveProject } from "../projects/project.ts";
import type { TopicInput, TopicResult, Topics } from "../topics/topics.ts";
import { describeWithSecret, readClientSecret } from "./client-secret.ts";
import { limitedProblems, problem, registrationParameters, writeProblems } from "./openapi.ts";
import { demandOrigin, type ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/registrations/{token}/topics/{topic}";
const request = {
  params: registrationParameters.extend({
    topic: z.string().describe("The topic's name."),
  }),
};
const commonProblems = {
  400: problem("`client-secret-malformed`"),
  404: problem("`project-unknown`, `registration-unknown`, `topic-unknown`"),
  ...limitedProblems,
  ...writeProblems,
};

const joinRoute = createRoute({
  hide: true,
  method: "put",
  path,
  summary: "Join an open topic",
  middleware: [demandOrigin, readClientSecret] as const,
  request,
  responses: {
    204: { description: "It is in the topic." },
    403: problem("`topic-kept`, `origin-missing`, `origin-not-allowed`"),
    ...commonProblems,
  },
});

const leaveRoute = createRoute({
  hide: true,
  method: "delete",
  path,
  summary: "Leave a topic",
  middleware: [demandOrigin, readClientSecret] as const,
  request,
  responses: {
    204: { description: "It is not in the topic." },
    403: problem("`origin-missing`, `origin-not-allowed`"),
    ...commonProblems,
  },
});

/** Routes that a page calls for its own browser. The project is in the context already. */
export function addTopicRoutes(app: OpenAPIHono<ProjectEnv>, topics: Topics): void {
  describeWithSecret(app, joinRoute);
  app.openapi(joinRoute, async ({ get, req, body }) => {
    demandDone(await topics.join(inputOf(get("project"), req.valid("param"), get("clientSecret"))));
    return body(null, 204);
  });
  describeWithSecret(app, leaveRoute);
  app.openapi(leaveRoute, async ({ get, req, body }) => {
    demandDone(
      await topics.leave(inputOf(get("project"), req.valid("param"), get("clientSecret"))),
    );
    return body(null, 204);
  });
}

function inputOf(
  project: ActiveProject,
  { token, topic }: z.infer<typeof request.params>,
  clientSecret: string,
): TopicInput {
  return { project, token, topic, clientSecret };
}

function demandDone(result: TopicResult): void {
  if (result !== null) throw new HttpProblem(result);
}
