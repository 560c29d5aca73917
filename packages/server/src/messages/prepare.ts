import { limits, type MessageRequest, type Published } from "@sineta/protocol";
import type { NewMessage, Store } from "../store/port.ts";
import type { MessageProject, MessageRefusal } from "./messages.ts";
import { scheduleOf } from "./schedule.ts";
import { sizeRefusal } from "./size.ts";
import { replaceRefusal } from "./replace.ts";
import { checkTarget, type CheckedTarget } from "./target-refusal.ts";

export type PrepareParts = {
  store: Pick<Store, "topics" | "registrations" | "messages">;
  newId: () => string;
};

export type Prepared = { kind: "prepared"; message: NewMessage } & Pick<CheckedTarget, "unknown">;

/**
 * Makes the message that a request asks for, or says why it cannot go. The request has the shape of
 * `messageRequestSchema`. Writes nothing.
 */
export async function prepare(
  { store, newId }: PrepareParts,
  project: MessageProject,
  request: MessageRequest,
  nowMs: number,
): Promise<Prepared | MessageRefusal> {
  const { replaces } = request;
  if (replaces !== undefined) {
    const refusal = await replaceRefusal(store, project.id, replaces);
    if (refusal !== null) return refusal;
  }
  const target = await checkTarget(store, project.id, request.target);
  if (target.kind === "refused") return target;

  const schedule = scheduleOf(request, nowMs);
  if (!schedule.ok) {
    const { code, field } = schedule;
    const message = `now it is ${new Date(nowMs).toISOString()}`;
    return { kind: "refused", code, fields: [{ path: field, message }] };
  }

  const message: NewMessage = {
    id: newId(),
    projectId: project.id,
    target: request.target,
    notification: request.notification,
    data: request.data ?? null,
    // Whoever opens the laptop after the holidays gets the notice.
    ttlSeconds: request.ttlSeconds ?? limits.ttlSeconds,
    urgency: request.urgency ?? "normal",
    collapseKey: request.collapseKey ?? null,
    ...schedule.at,
    replaces: replaces ?? null,
  };
  const { unknown } = target;
  return (await sizeRefusal(store, project, message)) ?? { kind: "prepared", message, unknown };
}

/** Unknown tokens as they are answered: how many, and the first of them; nothing if there are none. */
export function answerOf(unknown: readonly string[]): Pick<Published, "unknown"> {
  if (unknown.length === 0) return {};
  const tokens = unknown.slice(0, limits.unknownTokensNamed);
  return { unknown: { count: unknown.length, tokens } };
}
