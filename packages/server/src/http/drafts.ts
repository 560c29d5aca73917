import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  draftIdSchema,
  draftListSchema,
  draftSaveSchema,
  draftSchema,
  draftSummarySchema,
  firstCharacters,
  limits,
  messageRequestSchema,
  publishedSchema,
  type DraftContent,
  type DraftSummary,
} from "@sineta/protocol";
import type { Messages } from "../messages/messages.ts";
import type { DraftHead, DraftStore } from "../store/port.ts";
import { operatorOf } from "./credentials.ts";
import { jsonBody } from "./json-body.ts";
import { demandExact, messageBody } from "./message-body.ts";
import { refused } from "./messages.ts";
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
const draftParameters = projectParameter.extend({
  id: draftIdSchema.describe("The draft's id: a UUID that whoever began it has chosen."),
});

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
    409: problem("`draft-published`, with `messageId`"),
  },
});

const saveRoute = createRoute({
  method: "put",
  path: `${path}/{id}`,
  summary: "Make a draft under an id of your own, or put something else in its place",
  security: securityOf(`PUT ${entry}/:id`),
  middleware: jsonBody(limits.draftBodyBytes, draftSaveSchema, {
    rewrite(draft, text) {
      if (draftSaveSchema.safeParse(draft).success) demandExact(text, "content");
      return draft;
    },
  }),
  request: {
    params: draftParameters,
    body: { required: true, content: { "application/json": { schema: draftSaveSchema } } },
  },
  responses: {
    200: answer("It is saved, and has this revision now.", draftSummarySchema),
    ...bodyProblems,
    ...sessionProblems,
    404: problem("`project-unknown`"),
    409: problem("`draft-changed`, `drafts-exhausted`, `draft-published` with `messageId`"),
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

const publishRoute = createRoute({
  method: "post",
  path: `${path}/{id}/publish`,
  summary: "Publish a message as what the draft has become, and remove the draft",
  security: securityOf(`POST ${entry}/:id/publish`),
  middleware: messageBody,
  request: {
    params: draftParameters,
    body: {
      required: true,
      content: {
        "application/json": {
          schema: messageRequestSchema
            .refine(({ dryRun }) => dryRun !== true, {
              path: ["dryRun"],
              error: "a dry run is asked for where messages are",
            })
            .meta({ id: "DraftPublication", description: "The message: not a dry run." }),
        },
      },
    },
  },
  responses: {
    200: answer("The draft was published so before, as this message.", publishedSchema),
    202: answer("It is stored; the delivery sends it when its time comes.", publishedSchema),
    ...bodyProblems,
    400: problem(
      "`json-malformed`, `body-invalid`, `condition-invalid`, `schedule-in-past`, `schedule-too-far`, " +
        "`notification-too-large`",
    ),
    ...sessionProblems,
    404: problem(
      "`project-unknown`, `topic-unknown`, `token-not-found`; of `replaces`: `message-not-found`",
    ),
    409: problem(
      "`draft-published`, with `messageId`: it said something else; of `replaces`: `message-started`, `message-ended`, `message-replaced` with `messageId`",
    ),
    429: problem("`message-quota-reached`, with Retry-After"),
  },
});

export type DraftParts = {
  store: DraftStore;
  messages: Pick<Messages, "publishDraft">;
  now: () => number;
};

/** Routes for operators who may publish. */
export function addDraftRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { store, messages, now }: DraftParts,
): void {
  app.openapi(listRoute, async (context) => {
    const drafts = await store.list(context.get("project").id);
    return context.json({ drafts: drafts.map(summaryOf) }, 200);
  });

  app.openapi(readRoute, async (context) => {
    const { id } = context.req.valid("param");
    const projectId = context.get("project").id;
    const draft = await store.find(projectId, id);
    if (draft === null) {
      const messageId = await store.publishedAs(projectId, id);
      throw messageId === null ? new HttpProblem("draft-unknown") : published(messageId);
    }
    return context.json({ ...summaryOf(draft), content: draft.content }, 200);
  });

  app.openapi(saveRoute, async (context) => {
    const { id } = context.req.valid("param");
    const { revision, content } = context.req.valid("json");
    const projectId = context.get("project").id;
    const changedBy = operatorOf(context).id;
    const draft = {
      id,
      projectId,
      revision,
      title: titleOf(content),
      content,
      changedBy,
      replaces: replacesOf(content),
    };
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
    if (result.kind === "published") throw published(result.messageId);
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

  app.openapi(publishRoute, async (context) => {
    const { id } = context.req.valid("param");
    const request = context.req.valid("json");
    const project = context.get("project");
    const result = await messages.publishDraft(project, id, request, context.get("asker"));
    if (result.kind === "refused") throw refused(result);
    return context.json(result.published, result.kind === "repeated" ? 200 : 202);
  });
}

function published(messageId: string): HttpProblem {
  return new HttpProblem("draft-published", undefined, undefined, messageId);
}

function titleOf({ title }: DraftContent): string {
  if (typeof title !== "string") return "";
  const line = title.replaceAll(/[\p{Cc}\p{Cs}]+/gu, " ").trim();
  return firstCharacters(line, limits.titleCharacters);
}

function replacesOf({ replaces }: DraftContent): string | null {
  return draftSummarySchema.shape.replaces.safeParse(replaces).data ?? null;
}

function summaryOf({
  id,
  revision,
  title,
  changedBy,
  replaces,
  ...times
}: DraftHead): DraftSummary {
  return {
    id,
    revision,
    title,
    createdAt: new Date(times.createdAtMs).toISOString(),
    changedAt: new Date(times.changedAtMs).toISOString(),
    changedBy,
    ...(replaces === null ? {} : { replaces }),
  };
}
