import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  draftIdSchema,
  draftListSchema,
  draftSaveSchema,
  draftSchema,
  draftSummarySchema,
  limits,
  type DraftContent,
  type DraftSummary,
} from "@sineta/protocol";
import type { DraftHead, DraftStore } from "../store/port.ts";
import { operatorOf } from "./credentials.ts";
import { jsonBody } from "./json-body.ts";
import {
  answer,
  bodyProblems,
  problem,
  projectParameter,
  securityOf,
  sessionProblems,
  writeProblems,
} from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

const path = "/v1/projects/{project}/drafts";
const entry = "/v1/projects/:project/drafts";
const draftParameters = projectParameter.extend({ id: draftIdSchema });

const listRoute = createRoute({
  method: "get",
  path,
  summary: "The drafts, without what is written in them",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("All of them, the one that was changed last first.", draftListSchema),
    ...sessionProblems,
    404: problem("`project-unknown`"),
  },
});

const readRoute = createRoute({
  method: "get",
  path: `${path}/{id}`,
  summary: "A draft with what is written in it",
  security: securityOf(`GET ${entry}/:id`),
  request: { params: draftParameters },
  responses: {
    200: answer("The whole of it.", draftSchema),
    400: problem("`body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`, `draft-unknown`"),
  },
});

const saveRoute = createRoute({
  method: "put",
  path: `${path}/{id}`,
  summary: "Make a draft under an id of your own, or put something else in its place",
  security: securityOf(`PUT ${entry}/:id`),
  middleware: jsonBody(limits.draftBodyBytes),
  request: {
    params: draftParameters,
    body: { required: true, content: { "application/json": { schema: draftSaveSchema } } },
  },
  responses: {
    200: answer("It is saved, and has this revision now.", draftSummarySchema),
    ...bodyProblems,
    ...sessionProblems,
    404: problem("`project-unknown`"),
    409: problem("`draft-changed`, `drafts-exhausted`"),
  },
});

const removeRoute = createRoute({
  method: "delete",
  path: `${path}/{id}`,
  summary: "Remove a draft",
  security: securityOf(`DELETE ${entry}/:id`),
  request: { params: draftParameters },
  responses: {
    204: { description: "It is not there any more." },
    400: problem("`body-invalid`"),
    ...sessionProblems,
    404: problem("`project-unknown`, `draft-unknown`"),
    ...writeProblems,
  },
});

export type DraftParts = { store: DraftStore; now: () => number };

/** Routes for operators who may publish. */
export function addDraftRoutes(app: OpenAPIHono<ProjectEnv>, { store, now }: DraftParts): void {
  app.openapi(listRoute, async (context) => {
    const drafts = await store.list(context.get("project").id);
    return context.json({ drafts: drafts.map(summaryOf) }, 200);
  });

  app.openapi(readRoute, async (context) => {
    const draft = await store.find(context.get("project").id, context.req.valid("param").id);
    if (draft === null) throw new HttpProblem("draft-unknown");
    return context.json({ ...summaryOf(draft), content: draft.content }, 200);
  });

  app.openapi(saveRoute, async (context) => {
    const { id } = context.req.valid("param");
    const { revision, content } = context.req.valid("json");
    const projectId = context.get("project").id;
    const changedBy = operatorOf(context).id;
    const draft = { id, projectId, revision, title: titleOf(content), content, changedBy };
    const audit = {
      ...context.get("asker"),
      projectId,
      action: "draft.created",
      subject: id,
      change: null,
    };
    const result = await store.save(draft, limits.draftsPerProject, audit, now());
    if (result.kind === "exhausted") throw new HttpProblem("drafts-exhausted");
    if (result.kind === "changed") throw new HttpProblem("draft-changed");
    return context.json(summaryOf(result.draft), 200);
  });

  app.openapi(removeRoute, async (context) => {
    const { id } = context.req.valid("param");
    const projectId = context.get("project").id;
    const audit = {
      ...context.get("asker"),
      projectId,
      action: "draft.removed",
      subject: id,
      change: null,
    };
    const removed = await store.remove(projectId, id, audit, now());
    if (!removed) throw new HttpProblem("draft-unknown");
    return context.body(null, 204);
  });
}

function titleOf({ title }: DraftContent): string {
  return typeof title === "string" ? title.trim().slice(0, limits.titleCharacters) : "";
}

function summaryOf({ id, revision, title, changedBy, ...times }: DraftHead): DraftSummary {
  return {
    id,
    revision,
    title,
    createdAt: new Date(times.createdAtMs).toISOString(),
    changedAt: new Date(times.changedAtMs).toISOString(),
    changedBy,
  };
}
