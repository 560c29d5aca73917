import type { Log } from "../log.ts";
import type { AuditStore, DraftStore, RetentionStore, SessionStore } from "../store/port.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** One transaction: whoever registers meanwhile waits for it. */
const portion = 500;
const pauseMs = 50;
/** Whoever has not looked at it for a year begins anew. */
const keepDraftsDays = 365;
const everyMs = 60 * 60 * 1000;
/** A server that has just started has other things to do. */
const firstAfterMs = 60 * 1000;

export type RetentionParts = {
  store: {
    retention: Omit<RetentionStore, "oldestEnded">;
    audit: Pick<AuditStore, "removeBefore">;
    sessions: Pick<SessionStore, "removeStale">;
    drafts: Pick<DraftStore, "removeUntouched">;
  };
  /** How long is kept what nothing needs any more. */
  keepDays: { ended: number; receipts: number; audit: number };
  /** How long a session lives that nobody uses. */
  sessionIdleMs: number;
  now: () => number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  log: Log;
};

/**
 * Removes what has been kept for as long as the settings say, in small portions with pauses between them.
 * @returns how many of each kind
 */
export async function removeOld(
  { store, keepDays, sessionIdleMs, now, pause }: RetentionParts,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const nowMs = now();
  const kinds: Record<string, () => Promise<number>> = {
    registrations: () => store.retention.removeEnded(nowMs - keepDays.ended * dayMs, portion),
    goneEndpoints: () =>
      store.retention.removeGoneEndpoints(nowMs - keepDays.ended * dayMs, portion),
    batches: () => store.retention.removeBatches(portion),
    receipts: () => store.retention.removeReceipts(nowMs - keepDays.receipts * dayMs, portion),
    exceptions: () => store.retention.removeExceptions(nowMs - keepDays.receipts * dayMs, portion),
    hosts: () => store.retention.removeHosts(portion),
    auditLines: () => store.audit.removeBefore(nowMs - keepDays.audit * dayMs, portion),
    sessions: () =>
      store.sessions.removeStale({ nowMs, usedSinceMs: nowMs - sessionIdleMs }, portion),
    drafts: () => store.drafts.removeUntouched(nowMs - keepDraftsDays * dayMs, portion),
    expired: () => store.retention.removeExpired(nowMs, portion),
  };
  const removed: Record<string, number> = {};
  for (const [kind, remove] of Object.entries(kinds)) {
    let count = portion;
    while (count === portion && !signal.aborted) {
      count = await remove();
      removed[kind] = (removed[kind] ?? 0) + count;
      if (count === portion) await pause(pauseMs, signal);
    }
  }
  return removed;
}

/** Does so a minute from now and then once an hour, until it is stopped. A failure is logged, and tried again an hour later. */
export function startRetention(parts: RetentionParts): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    await parts.pause(firstAfterMs, signal);
    while (!signal.aborted) {
      try {
        const removed = await removeOld(parts, signal);
        if (Object.values(removed).some((count) => count > 0)) {
          parts.log.info({ removed }, "what was kept for long enough is removed");
        }
      } catch (error) {
        parts.log.error({ err: error }, "nothing could be removed");
      }
      await parts.pause(everyMs, signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
