import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { limits, topicEditSchema, topicRequestSchema, topicSchema } from "@sineta/protocol";
import { ownDisplayName } from "../store/own-display-name.ts";
import type { Asker, AuditEntry, TopicStore } from "../store/port.ts";
import { removeTopic } from "../topics/remove-topic.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  bodyProblems,
  memberProblems,
  problem,
  projectParameter,
  securityOf,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/topics";
const entry = "/v1/projects/:project/topics";
const parameters = projectParameter.extend({ topic: z.string().describe("The topic's name.") });

const addRoute = createRoute({
  method: "post",
  path,
  summary: "Make a topic",
  security: securityOf(`POST ${entry}`),
  middleware: jsonBody(limits.registrationBodyBytes, topicRequestSchema),
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: topicRequestSchema } } },
  },
  responses: {
    201: answer("It is there.", topicSchema),
    ...memberProblems,
    ...bodyProblems,
    404: problem("`project-unknown`"),
    409: problem("`topic-taken`, `topics-exhausted`"),
  },
});

const changeRoute = createRoute({
  method: "patch",
  path: `${path}/{topic}`,
  summary: "Change who may join a topic, or its display name; who is in it stays",
  security: securityOf(`PATCH ${entry}/:topic`),
  middleware: jsonBody(limits.registrationBodyBytes, topicEditSchema),
  request: {
    params: parameters,
    body: { required: true, content: { "application/json": { schema: topicEditSchema } } },
  },
  responses: {
    200: answer("As it is now.", topicSchema),
    ...memberProblems,
    ...bodyProblems,
    404: problem("`project-unknown`, `topic-unknown`"),
  },
});

const removeRoute = createRoute({
  method: "delete",
  path: `${path}/{topic}`,
  summary: "Remove a topic from all who are in it, and then itself",
  security: securityOf(`DELETE ${entry}/:topic`),
  request: { params: parameters },
  responses: {
    204: { description: "It is removed." },
    ...memberProblems,
    404: problem("`project-unknown`, `topic-unknown`"),
    ...writeProblems,
  },
});

export type TopicChangeParts = {
  store: TopicStore;
  /** Between portions of a large topic that is removed. */
  pause: () => Promise<unknown>;
  now: () => number;
};

/** Routes by which topics are made, changed and removed. */
export function addTopicChangeRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { store, pause, now }: TopicChangeParts,
): void {
  app.openapi(addRoute, async (context) => {
    const topic = context.req.valid("json");
    const { name, policy } = topic;
    const displayName = ownDisplayName(name, topic.displayName);
    const { id: projectId } = context.get("project");
    const change = { policy, ...(displayName === "" ? {} : { displayName }) };
    const line = lineOf(context.get("asker"), projectId, "topic.created", name, change);
    const result = await store.add(projectId, topic, now(), line);
    if (result === "exists") throw new HttpProblem("topic-taken");
    if (result === "full") throw new HttpProblem("topics-exhausted");
    return context.json({ name, displayName: displayName || name, policy }, 201);
  });

  app.openapi(changeRoute, async (context) => {
    const { topic: name } = context.req.valid("param");
    const { id: projectId } = context.get("project");
    const line = { ...context.get("asker"), projectId, action: "topic.changed", subject: name };
    const audit = { entry: line, nowMs: now() };
    const edited = await store.edit(projectId, name, context.req.valid("json"), audit);
    if (edited === null) throw new HttpProblem("topic-unknown");
    const { displayName, policy } = edited;
    return context.json({ name, displayName, policy }, 200);
  });

  app.openapi(removeRoute, async (context) => {
    const { topic: name } = context.req.valid("param");
    const { id: projectId } = context.get("project");
    const topic = await store.find(projectId, name);
    if (topic === null) throw new HttpProblem("topic-unknown");
    const line = lineOf(context.get("asker"), projectId, "topic.removed", name, null);
    await removeTopic(store, topic, pause, { audit: { entry: line, nowMs: now() } });
    return context.body(null, 204);
  });
}

function lineOf(
  asker: Asker,
  projectId: number,
  action: string,
  subject: string,
  change: AuditEntry["change"],
): AuditEntry {
  return { ...asker, projectId, action, subject, change };
}
