import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import {
  deliverySchema,
  holdStateSchema,
  limits,
  resumedSchema,
  resumeSchema,
  type HoldBody,
} from "@sineta/protocol";
import { holdBody, readDelivery } from "../delivery/held-list.ts";
import type { DeliveryHold, HoldStore, MessageStore } from "../store/port.ts";
import { HttpProblem } from "./problem.ts";
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

const path = "/v1/projects/{project}/delivery";
const entry = "/v1/projects/:project/delivery";

/** Messages of each kind in an answer. */
const mostListed = 100;

const byDefault = { sendDue: false, send: [] };

const readRoute = createRoute({
  method: "get",
  path,
  summary: "Whether delivery is held, why, and what a resume would do",
  security: securityOf(`GET ${entry}`),
  request: { params: projectParameter },
  responses: {
    200: answer("How delivery is now.", deliverySchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
  },
});

const holdRoute = createRoute({
  method: "post",
  path: `${path}/hold`,
  summary: "Stop the delivery of the whole server",
  security: securityOf(`POST ${entry}/hold`),
  request: { params: projectParameter },
  responses: {
    200: answer("The hold, as it is now: one that was there stays.", holdStateSchema),
    ...memberProblems,
    404: problem("`project-unknown`"),
    ...writeProblems,
  },
});

const resumeRoute = createRoute({
  method: "post",
  path: `${path}/resume`,
  summary: "End the hold: cancel what another server may have sent, and send the rest",
  security: securityOf(`POST ${entry}/resume`),
  middleware: jsonBody(limits.registrationBodyBytes, resumeSchema),
  request: {
    params: projectParameter,
    body: { required: true, content: { "application/json": { schema: resumeSchema } } },
  },
  responses: {
    200: answer("How delivery is now; where it was not held, nothing has changed.", resumedSchema),
    ...bodyProblems,
    ...memberProblems,
    404: problem("`project-unknown`"),
    409: problem("`hold-changed`"),
  },
});

export type DeliveryRouteParts = {
  store: { hold: HoldStore; messages: Pick<MessageStore, "find"> };
  now: () => number;
};

/** Routes for the hold, which concerns all projects of the server. */
export function addDeliveryRoutes(
  app: OpenAPIHono<ProjectEnv>,
  { store: { hold: store, messages }, now }: DeliveryRouteParts,
): void {
  app.openapi(readRoute, async (context) => {
    const { id: projectId } = context.get("project");
    const options = { ...byDefault, asOfMs: now(), projectId, limit: mostListed };
    return context.json(await readDelivery(store, options), 200);
  });

  app.openapi(holdRoute, async (context) => {
    const asked = { reason: "asked", sinceMs: now() } as const;
    const { hold } = await store.begin(asked, context.get("asker"));
    return context.json(stateOf(hold), 200);
  });

  app.openapi(resumeRoute, async (context) => {
    const { asOf, hold: seen, sendDue, send } = context.req.valid("json");
    const nowMs = now();
    const asOfMs = asOf === undefined ? nowMs : Math.min(Date.parse(asOf), nowMs);
    const hold = await store.find();
    if (seen !== undefined && !isHold(hold, seen)) throw new HttpProblem("hold-changed");
    // Of a hold that the operator has seen, `since` may be in this clock's future: it is the time of a back-up.
    const isOfFuture = seen !== undefined && hold !== null && hold.sinceMs > nowMs;
    const isOlder = hold !== null && asOf !== undefined && asOfMs < hold.sinceMs;
    if (isOlder && !isOfFuture) {
      throw new HttpProblem("body-invalid", [
        { path: "asOf", message: "is earlier than the hold: list what would go out again" },
      ]);
    }
    // A mistyped id would let the message be cancelled.
    for (const id of send) {
      const found = await messages.find(context.get("project").id, id);
      if (found !== null) continue;
      throw new HttpProblem("body-invalid", [{ path: "send", message: `has no message ${id}` }]);
    }
    const options = { asOfMs, sendDue, send };
    const done = hold && (await store.resume(hold, options, context.get("asker"), nowMs));
    // Another resume has ended the hold since it was read.
    if (seen !== undefined && done === null) throw new HttpProblem("hold-changed");
    const cancelled = done?.cancelled ?? 0;
    return context.json({ ...stateOf(await store.find()), cancelled }, 200);
  });
}

function isHold(hold: DeliveryHold | null, { reason, since }: HoldBody): boolean {
  return hold?.reason === reason && hold.sinceMs === Date.parse(since);
}

function stateOf(hold: DeliveryHold | null) {
  return hold === null
    ? { state: "running" as const, hold }
    : { state: "held" as const, hold: holdBody(hold) };
}
