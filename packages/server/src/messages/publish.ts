import {
  firstCharacters,
  type JsonValue,
  type MessageRequest,
  type MessageTarget,
  type Published,
} from "@sineta/protocol";
import type { Asker, Message, PublishResult } from "../store/port.ts";
import type { MessageProject, MessageRefusal } from "./messages.ts";
import { answerOf, prepare, type PrepareParts } from "./prepare.ts";
import { replaceRefusal } from "./replace.ts";
import { requestHash } from "./request-hash.ts";

/** What is answered of a message: its state as people are told of it. */
type Told = (message: PublishedHead) => PublishedHead;
type PublishedHead = Pick<Message, "id" | "state" | "scheduledAtMs" | "localTime">;

/** See `Messages.publish` and `Messages.publishDraft`. */
export async function publish(
  parts: PrepareParts & { told: Told },
  project: MessageProject,
  request: MessageRequest,
  {
    asker,
    nowMs,
    once,
  }: { asker: Asker; nowMs: number; once?: { key: string } | { draftId: string } },
): Promise<{ kind: "published" | "repeated"; published: Published } | MessageRefusal> {
  const { messages } = parts.store;
  const idempotency = once && { ...once, requestHash: requestHash(request) };
  if (idempotency !== undefined) {
    // First, since a repetition may come when the message's time is over, or its topic is gone.
    const earlier = await messages.findPublished(project.id, idempotency, asker.actor);
    if (earlier !== null) return answerTo(earlier, once, parts.told);
  }
  const prepared = await prepare(parts, project, request, nowMs);
  if (prepared.kind === "refused") return prepared;
  const { message } = prepared;
  const audit = {
    ...asker,
    projectId: project.id,
    action: "message.published",
    subject: message.id,
    change: {
      title: firstCharacters(message.notification.title, 100),
      target: shownTarget(message.target),
      ...(message.replaces === null ? {} : { replaces: message.replaces }),
      ...(once !== undefined && "draftId" in once ? { draft: once.draftId } : {}),
    },
  };
  const result = await messages.publish(message, nowMs, idempotency, audit);
  if (result.kind === "not-replaced") {
    const refusal = await replaceRefusal(parts.store, project.id, message.replaces ?? "");
    if (refusal === null)
      throw new Error("the store refused to replace a message that is scheduled");
    return refusal;
  }
  if (result.kind !== "published") return answerTo(result, once, parts.told);
  const published = publishedOf(parts.told({ ...message, state: "scheduled" }));
  return { kind: "published", published: { ...published, ...answerOf(prepared.unknown) } };
}

/** Whom a message is for, without what leads to single visitors. */
function shownTarget(target: MessageTarget): Record<string, JsonValue> {
  switch (target.kind) {
    case "all":
    case "topic":
    case "condition":
      return target;
    case "user":
    case "token":
      return { kind: target.kind };
    case "tokens":
      return { kind: target.kind, count: target.tokens.length };
    default:
      return target satisfies never;
  }
}

function answerTo(
  result: Exclude<PublishResult, { kind: "published" | "not-replaced" }>,
  once: object | undefined,
  told: Told,
): { kind: "repeated"; published: Published } | MessageRefusal {
  switch (result.kind) {
    case "repeated":
      return { kind: "repeated", published: publishedOf(told(result.message)) };
    case "key-reused":
      return once !== undefined && "draftId" in once
        ? { kind: "refused", code: "draft-published", messageId: result.messageId }
        : { kind: "refused", code: "idempotency-key-reused" };
    case "quota-reached":
      return {
        kind: "refused",
        code: "message-quota-reached",
        retryAfterSeconds: Math.max(1, Math.ceil(result.retryAfterMs / 1000)),
      };
    case "key-ended":
      return { kind: "refused", code: "api-key-invalid" };
    default:
      return result satisfies never;
  }
}

function publishedOf({ id, state, scheduledAtMs }: PublishedHead): Published {
  return { id, state, scheduleAt: new Date(scheduledAtMs).toISOString() };
}
