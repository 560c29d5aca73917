import type { MessageMove, MessageRequest } from "@sineta/protocol";
import type { PublishedMessage, Store } from "../store/port.ts";
import type { MessageRefusal } from "./messages.ts";
import { scheduleOf } from "./schedule.ts";

/** Why no message can replace the one with this id; null: a message can. */
export async function replaceRefusal(
  { messages }: Pick<Store, "messages">,
  projectId: number,
  id: string,
): Promise<MessageRefusal | null> {
  const message = await messages.find(projectId, id);
  if (message === null) return { kind: "refused", code: "message-not-found" };
  switch (message.state) {
    case "scheduled":
      return null;
    case "sending":
    case "paused":
      return { kind: "refused", code: "message-started" };
    case "done":
    case "cancelled":
      return endedRefusal(message);
    default:
      return message.state satisfies never;
  }
}

/** Why nothing can be done to a message that has ended. */
export function endedRefusal({ replacedBy }: Pick<PublishedMessage, "replacedBy">): MessageRefusal {
  return replacedBy === null
    ? { kind: "refused", code: "message-ended" }
    : { kind: "refused", code: "message-replaced", messageId: replacedBy };
}

/** The request that moves a message: it keeps all but the time, and replaces the message. */
export function moveRequest(message: PublishedMessage, to: MessageMove): MessageRequest {
  return { ...requestOf(message), ...to, replaces: message.id };
}

/** The request that publishes a message again. It has the message's time unless that is over. */
export function sameRequest(message: PublishedMessage, nowMs: number): MessageRequest {
  const { localTime, scheduledAtMs } = message;
  const time =
    localTime === null
      ? { scheduleAt: new Date(scheduledAtMs).toISOString() }
      : { scheduleAtLocal: localTime };
  return { ...requestOf(message), ...(scheduleOf(time, nowMs).ok ? time : {}) };
}

/** All but the time. */
function requestOf(message: PublishedMessage): MessageRequest {
  const { target, notification, data, ttlSeconds, urgency, collapseKey } = message;
  return {
    target,
    notification,
    ...(data === null ? {} : { data }),
    ttlSeconds,
    urgency,
    ...(collapseKey === null ? {} : { collapseKey }),
  };
}
