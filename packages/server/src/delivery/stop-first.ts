import type { Store } from "../store/port.ts";
import type { PagesUnderWay } from "./under-way.ts";

/**
 * The store for callers that wait for an answer: cancelling a message, or ending a registration, resolves when no push of it is
 * begun any more.
 * @param delivery null as long as none runs
 */
export function stopFirst(
  store: Store,
  delivery: () => Pick<PagesUnderWay, "stopEnded" | "stopFor"> | null,
): Store {
  const { messages, registrations, audience, apiKeys } = store;
  return {
    ...store,
    messages: {
      ...messages,
      async cancel(...which) {
        const cancelled = await messages.cancel(...which);
        if (cancelled) await delivery()?.stopEnded();
        return cancelled;
      },
    },
    apiKeys: {
      ...apiKeys,
      async revoke(...which) {
        const revoked = await apiKeys.revoke(...which);
        await delivery()?.stopEnded();
        return revoked;
      },
    },
    registrations: {
      ...registrations,
      async leave(id, nowMs) {
        const left = await registrations.leave(id, nowMs);
        await delivery()?.stopFor(id);
        return left;
      },
      async forget(id, ...as) {
        await registrations.forget(id, ...as);
        await delivery()?.stopFor(id);
      },
    },
    audience: {
      ...audience,
      async remove(projectId, token, ...as) {
        const found = await registrations.find(projectId, token);
        const removed = await audience.remove(projectId, token, ...as);
        if (found !== null) await delivery()?.stopFor(found.id);
        return removed;
      },
    },
  };
}
