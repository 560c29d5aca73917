import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  limits,
  topicChangeSchema,
  topicListSchema,
  topicTokensSchema,
  type TopicChange,
} from "@sineta/protocol";
import type { ActiveProject } from "../projects/project.ts";
import type { Asker, AuditStore, TopicStore } from "../store/port.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  memberProblems,
  problem,
  projectParameter,
  securityOf,
  unsupportedBodyProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/topics";

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The topics, each with its live registrations",
  security: securityOf("GET /v1/projects/:project/topics"),
  request: { params: projectParameter },
  responses: {
    200: answer("All of them, by name.", topicListSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

const change = {
  method: "post" as const,
  middleware: jsonBody(limits.messageBodyBytes, topicTokensSchema),
  request: {
    params: projectParameter.extend({ topic: z.string().describe("The topic's name.") }),
    body: { required: true, content: { "application/json": { schema: topicTokensSchema } } },
  },
  responses: {
    200: answer("Done; the tokens that are nobody's are named.", topicChangeSchema),
    ...memberProblems,
    400: problem("`json-malformed`, `body-invalid`"),
    404: problem("`project-unknown`, `topic-unknown`"),
    413: problem("`body-too-large`"),
    ...unsupportedBodyProblems,
    ...writeProblems,
  },
};

const joinRoute = createRoute({
  ...change,
  path: `${path}/{topic}/join`,
  security: securityOf("POST /v1/projects/:project/topics/:topic/join"),
  summary: "Put registrations into a topic, a kept one too",
});

const leaveRoute = createRoute({
  ...change,
  path: `${path}/{topic}/leave`,
  security: securityOf("POST /v1/projects/:project/topics/:topic/leave"),
  summary: "Take registrations out of a topic",
});

export type TopicMembers = {
  store: Pick<TopicStore, "list" | "find" | "changeMany">;
  audit: Pick<AuditStore, "append">;
  now: () => number;
};

/** Routes that senders call with an API key. The project is in the context already, and the key was looked at. */
export function addTopicMemberRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { store, audit, now }: TopicMembers,
): void {
  app.openapi(listRoute, async (context) => {
    const topics = await store.list(context.get("project").id);
    return context.json(
      {
        topics: topics.map(({ name, displayName, policy, liveCount }) => ({
          name,
          displayName,
          policy,
          registrations: liveCount,
        })),
      },
      200,
    );
  });

  async function changed(
    how: "join" | "leave",
    { project, asker }: { project: ActiveProject; asker: Asker },
    input: { topic: string; tokens: readonly string[] },
  ): Promise<TopicChange> {
    const topic = await store.find(project.id, input.topic);
    if (topic === null) throw new HttpProblem("topic-unknown");
    const tokens = [...new Set(input.tokens)];
    const ids = { projectId: project.id, topicId: topic.id };
    const { unknown } = await store.changeMany(ids, how, tokens, now());
    const registrations = tokens.length - unknown.length;
    // Programs do so each time somebody logs in at the site: that would hide what people do.
    if (registrations > 0 && asker.actor.kind !== "api-key") {
      const counted = { [how === "join" ? "joined" : "left"]: registrations };
      await audit.append(
        {
          ...asker,
          projectId: project.id,
          action: "topic.members-changed",
          subject: topic.name,
          change: counted,
        },
        now(),
      );
    }
    return { registrations, unknown };
  }

  app.openapi(joinRoute, async (context) => {
    const input = { ...context.req.valid("param"), ...context.req.valid("json") };
    return context.json(await changed("join", whoIn(context), input), 200);
  });
  app.openapi(leaveRoute, async (context) => {
    const input = { ...context.req.valid("param"), ...context.req.valid("json") };
    return context.json(await changed("leave", whoIn(context), input), 200);
  });
}

function whoIn(context: Context<ProjectEnv>): { project: ActiveProject; asker: Asker } {
  return { project: context.get("project"), asker: context.get("asker") };
}
