import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { streamSSE, type SSEStreamingApi } from "hono/streaming";
import type { HttpErrorCode } from "@sineta/protocol";
import { callerKey } from "../access/caller.ts";
import {
  mostReaders,
  mostReadersOfCaller,
  type Feed,
  type MessageWatch,
  type MessageWatchParts,
} from "./message-watch.ts";
import { memberProblems, securityOf, problem, projectParameter } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/** Proxies take a connection on which nothing has come for a minute for a dead one. */
export const heartbeatMs = 15_000;

const eventsRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/messages/{id}/events",
  summary: "What becomes of a message, while it happens",
  security: securityOf("GET /v1/projects/:project/messages/:id/events"),
  request: { params: projectParameter.extend({ id: z.string().describe("The message's id.") }) },
  responses: {
    200: {
      description:
        "Server-sent events. `progress` has the message's status (MessageStatus, of many tokens their count) as data: first as it is, then " +
        "whenever it has changed, twice a second at most. `end` comes when it is done or cancelled, with the same " +
        "data, and the stream closes behind it. A stream that closes without it broke off: ask again. " +
        `A caller may have ${mostReadersOfCaller} streams open, and all callers ${mostReaders}.`,
      content: { "text/event-stream": { schema: z.string() } },
    },
    ...memberProblems,
    404: problem("`project-unknown`, `message-not-found`"),
    429: problem("`too-many-at-once`"),
    503: problem("`streams-exhausted`, `not-ready`"),
  },
});

const refusals = {
  unknown: "message-not-found",
  "too-many": "too-many-at-once",
  exhausted: "streams-exhausted",
  closed: "not-ready",
} as const satisfies Record<string, HttpErrorCode>;

export type EventParts = { watch: MessageWatch; pause: MessageWatchParts["pause"] };

/** The project is in the context already, and the API key was looked at. */
export function addEventRoute(app: OpenAPIHono<ProjectEnv>, { watch, pause }: EventParts): void {
  app.openapi(eventsRoute, async (context) => {
    // Nobody would read a stream, nor end it.
    if (context.req.raw.method === "HEAD") return context.body(null, 200);
    const { id } = context.req.valid("param");
    const caller = callerKey(context.get("asker").actor);
    const feed = await watch.open(context.get("project"), id, caller);
    if (typeof feed === "string") throw new HttpProblem(refusals[feed]);
    const response = streamSSE(context, (stream) =>
      tell(stream, feed, { pause, refusalNow: context.get("refusalNow") }),
    );
    // nginx would collect what comes, and hand it on in one piece.
    response.headers.set("X-Accel-Buffering", "no");
    return response;
  });
}

/** Until the message has ended, the client is gone or may not read any more, or the server stops. */
async function tell(
  stream: SSEStreamingApi,
  feed: Feed,
  {
    pause,
    refusalNow,
  }: Pick<EventParts, "pause"> & { refusalNow: () => Promise<HttpErrorCode | null> },
): Promise<void> {
  stream.onAbort(() => feed.close());
  try {
    let next = feed.next();
    for (;;) {
      const status = await orQuiet(next, pause);
      // A key that was revoked or a session that has ended reads no further than here.
      if (status === null || (await refusalNow()) !== null) return;
      if (status === "quiet") {
        await stream.write(": still here\n\n");
        continue;
      }
      await stream.writeSSE({ event: "progress", data: status.text });
      if (status.ended) {
        await stream.writeSSE({ event: "end", data: status.text });
        return;
      }
      next = feed.next();
    }
  } finally {
    feed.close();
  }
}

/** What comes, or `quiet` if nothing has come for so long. */
async function orQuiet<Value>(
  coming: Promise<Value>,
  pause: EventParts["pause"],
): Promise<Value | "quiet"> {
  const settled = new AbortController();
  try {
    const quiet = pause(heartbeatMs, settled.signal).then(() => "quiet" as const);
    return await Promise.race([coming, quiet]);
  } finally {
    settled.abort();
  }
}
