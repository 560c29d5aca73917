import { limits, type MessageRequest } from "@sineta/protocol";
import type { NewMessage, Store } from "../store/port.ts";
import type { MessageProject, MessageRefusal } from "./messages.ts";
import { scheduleOf } from "./schedule.ts";
import { sizeRefusal } from "./size.ts";
import { targetRefusal } from "./target-refusal.ts";

export type PrepareParts = {
  store: Pick<Store, "topics" | "registrations">;
  newId: () => string;
};

export type Prepared = { kind: "prepared"; message: NewMessage };

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
  const refusal = await targetRefusal(store, project.id, request.target);
  if (refusal !== null) return refusal;

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
  };
  return (await sizeRefusal(store, project, message)) ?? { kind: "prepared", message };
}
