import type { MessageRequest, Published } from "@sineta/protocol";
import type { Message, PublishResult, Store } from "../store/port.ts";
import type { MessageProject, MessageRefusal } from "./messages.ts";
import { prepare, type PrepareParts } from "./prepare.ts";
import { requestHash } from "./request-hash.ts";

/** See `Messages.publish`. */
export async function publish(
  parts: PrepareParts & { store: Pick<Store, "messages"> },
  project: MessageProject,
  request: MessageRequest,
  { nowMs, idempotencyKey }: { nowMs: number; idempotencyKey?: string | undefined },
): Promise<{ kind: "published" | "repeated"; published: Published } | MessageRefusal> {
  const { messages } = parts.store;
  const idempotency =
    idempotencyKey === undefined
      ? undefined
      : { key: idempotencyKey, requestHash: requestHash(request) };
  if (idempotency !== undefined) {
    // First, since a repetition may come when the message's time is over, or its topic is gone.
    const earlier = await messages.findPublished(project.id, idempotency);
    if (earlier !== null) return answerTo(earlier);
  }
  const prepared = await prepare(parts, project, request, nowMs);
  if (prepared.kind === "refused") return prepared;
  const { message } = prepared;
  const result = await messages.publish(message, nowMs, idempotency);
  if (result.kind !== "published") return answerTo(result);
  return { kind: "published", published: publishedOf({ ...message, state: "scheduled" }) };
}

function answerTo(
  result: Exclude<PublishResult, { kind: "published" }>,
): { kind: "repeated"; published: Published } | MessageRefusal {
  switch (result.kind) {
    case "repeated":
      return { kind: "repeated", published: publishedOf(result.message) };
    case "key-reused":
      return { kind: "refused", code: "idempotency-key-reused" };
    default:
      return result satisfies never;
  }
}

function publishedOf({
  id,
  state,
  scheduledAtMs,
}: Pick<Message, "id" | "state" | "scheduledAtMs">): Published {
  return { id, state, scheduledAt: new Date(scheduledAtMs).toISOString() };
}
