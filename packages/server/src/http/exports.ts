import type { Context } from "hono";
import type { HttpErrorCode } from "@sineta/protocol";
import { createMinuteRoom, exportsPerMinute } from "../access/quotas/per-minute.ts";
import type { AuditEntry, AuditStore } from "../store/port.ts";
import { turnsOf } from "./few-at-once.ts";
import { problem } from "./openapi.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/**
 * Each reads as fast as its client takes what was read, which may be slow. The server refuses a further one, and does not queue it: its
 * caller would see nothing for minutes.
 */
const exportsAtOnce = {
  perCaller: { atOnce: 2, waiting: 0 },
  inAll: { atOnce: 8, waiting: 0 },
};
const retryAfterSeconds = 10;

/** What every route may answer that exports. */
export const exportProblems = {
  429: problem("`export-limit-reached`, `too-many-at-once`, with Retry-After"),
};

export type Export = {
  contentType: string;
  fileName: (nowMs: number) => string;
  /** Opens what is taken away. What it throws is the answer. */
  open: () => Promise<AsyncIterable<string>>;
  /** What the audit says of it. */
  line: Pick<AuditEntry, "action" | "subject" | "change">;
};

export type ExportParts = { audit: Pick<AuditStore, "append">; now: () => number };

/** @throws HttpProblem `export-limit-reached`, `too-many-at-once`, before anything is read or written */
export type Exports = (context: Context<ProjectEnv>, wanted: Export) => Promise<Response>;

/** Limits exports, for each caller in a minute and at once. An export counts until its end has been taken. Each leaves a line in the audit. */
export function createExports({ audit, now }: ExportParts): Exports {
  const room = createMinuteRoom(exportsPerMinute);
  const takeTurn = turnsOf(exportsAtOnce, retryAfterSeconds);

  return async (context, { contentType, fileName, open, line }) => {
    // Nobody would read the lines, nor end them.
    if (context.req.raw.method === "HEAD") return context.body(null, 200);
    const asker = context.get("asker");
    const endTurn = await takeTurn(asker);
    const opened = async () => {
      const waitSeconds = await room(asker.actor);
      if (waitSeconds !== null) {
        throw new HttpProblem("export-limit-reached", undefined, waitSeconds);
      }
      const pieces = await open();
      await audit.append({ ...asker, projectId: context.get("project").id, ...line }, now());
      return pieces;
    };
    const pieces = await opened().catch((error: unknown) => {
      endTurn();
      throw error;
    });
    const whileAllowed = stillAllowed(pieces, context.get("refusalNow"), endTurn);
    const text = ReadableStream.from(whileAllowed).pipeThrough(new TextEncoderStream());
    return context.body(text, 200, {
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${fileName(now())}"`,
    });
  };
}

/** A session that ends meanwhile breaks the answer off: half a table must not look like a whole one. */
async function* stillAllowed(
  pieces: AsyncIterable<string>,
  refusalNow: () => Promise<HttpErrorCode | null>,
  endTurn: () => void,
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      const refusal = await refusalNow();
      if (refusal !== null) throw new HttpProblem(refusal);
      yield piece;
    }
  } finally {
    endTurn();
  }
}
