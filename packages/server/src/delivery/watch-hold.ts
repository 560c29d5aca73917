import type { Log } from "../log.ts";
import type { DeliveryHold, HoldStore } from "../store/port.ts";

const why = {
  restored: "the data comes from a back-up, and another server may have sent what waits",
  cloned: "the data folder is a copy, and the server that it was copied from may send the same",
  asked: "an operator has stopped it",
} as const satisfies Record<DeliveryHold["reason"], string>;

const howToResume = "sineta resume lists what would go out, and resumes the delivery";

/**
 * Tells whether delivery is held, as the store says at that moment: another process may begin or end the hold. The log has a line when
 * that changes, and at the start if delivery is held.
 */
export function watchHold(store: Pick<HoldStore, "find">, log: Log): () => Promise<boolean> {
  let last: DeliveryHold | null = null;
  return async () => {
    const hold = await store.find();
    if (hold?.reason !== last?.reason || hold?.sinceMs !== last?.sinceMs) tell(hold, log);
    last = hold;
    return hold !== null;
  };
}

function tell(hold: DeliveryHold | null, log: Log): void {
  if (hold === null) {
    log.warn("delivery has resumed");
    return;
  }
  const { reason, sinceMs } = hold;
  const since = new Date(sinceMs).toISOString();
  log.warn({ reason, since }, `delivery is held: ${why[reason]}; ${howToResume}`);
}
