import type { DeliveryBody, HoldBody } from "@sineta/protocol";
import type { DeliveryHold, HeldMessage, HoldStore } from "../store/port.ts";

export function holdBody({ reason, sinceMs }: DeliveryHold): HoldBody {
  return { reason, since: new Date(sinceMs).toISOString() };
}

/**
 * Whether delivery is held, and what would go out.
 * @param limit of the messages of each fate
 * @param projectId null: the messages of all projects
 */
export async function readDelivery(
  store: Pick<HoldStore, "find" | "list">,
  { projectId, limit, nowMs }: { projectId: number | null; limit: number; nowMs: number },
): Promise<DeliveryBody> {
  const asOf = new Date(nowMs).toISOString();
  const hold = await store.find();
  if (hold === null) {
    const counts = { cancel: 0, now: 0, later: 0, expire: 0 };
    return { state: "running", hold, asOf, counts, messages: [] };
  }
  const { counts, messages } = await store.list(hold, { projectId, asOfMs: nowMs, limit });
  return { state: "held", hold: holdBody(hold), asOf, counts, messages: messages.map(messageBody) };
}

function messageBody({ createdAtMs, dueAtMs, localTime, ...message }: HeldMessage) {
  return {
    ...message,
    createdAt: new Date(createdAtMs).toISOString(),
    scheduleAt: new Date(dueAtMs).toISOString(),
    ...(localTime === null ? {} : { scheduleAtLocal: localTime }),
  };
}
