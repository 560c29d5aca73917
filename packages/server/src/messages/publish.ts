import type { MessageRequest, Published } from "@sineta/protocol";
import type { Message, Store } from "../store/port.ts";
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
  const prepared = await prepare(parts, project, request, nowMs);
  if (prepared.kind === "refused") return prepared;
  const { message } = prepared;
  const idempotency =
    idempotencyKey === undefined
      ? undefined
      : { key: idempotencyKey, requestHash: requestHash(request) };
  const result = await parts.store.messages.publish(message, nowMs, idempotency);
  switch (result.kind) {
    case "published":
      return { kind: "published", published: publishedOf({ ...message, state: "scheduled" }) };
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
