import type { DeliveryBody, HoldBody } from "@sineta/protocol";
import type { DeliveryHold, HeldMessage, HoldStore } from "../store/port.ts";

export function holdBody({ reason, sinceMs }: DeliveryHold): HoldBody {
  return { reason, since: new Date(sinceMs).toISOString() };
}

/**
 * Whether delivery is held, and what a resume with these options would do.
 */
export async function readDelivery(
  store: Pick<HoldStore, "find" | "list">,
  options: Parameters<HoldStore["list"]>[0],
): Promise<DeliveryBody> {
  const asOf = new Date(options.asOfMs).toISOString();
  const hold = await store.find();
  if (hold === null) {
    const counts = { cancel: 0, now: 0, later: 0, expire: 0 };
    return { state: "running", hold, asOf, counts, messages: [] };
  }
  const { counts, messages } = await store.list(options);
  return { state: "held", hold: holdBody(hold), asOf, counts, messages: messages.map(messageBody) };
}

function messageBody({ createdAtMs, dueAtMs, localTime, expiresAtMs, ...message }: HeldMessage) {
  return {
    ...message,
    createdAt: new Date(createdAtMs).toISOString(),
    scheduleAt: new Date(dueAtMs).toISOString(),
    ...(localTime === null ? {} : { scheduleAtLocal: localTime }),
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}
