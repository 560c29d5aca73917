import type { MessageSummary } from "@sineta/protocol";

/**
 * When a notice starts, as this browser's time zone has it: an ISO 8601 moment, or, for a notice at each reader's time, a time without a zone.
 * `scheduleAt` of the latter is its start in the first time zone of the world.
 */
export function startOf({ scheduleAt, scheduleAtLocal }: MessageSummary): string {
  return scheduleAtLocal ?? scheduleAt;
}

function startMs(message: MessageSummary): number {
  return Date.parse(startOf(message));
}

/** Joins two lists of notices. Of a notice that both have, it takes what the newer list says. */
export function newestOfEach(
  older: readonly MessageSummary[],
  newer: readonly MessageSummary[],
): MessageSummary[] {
  return [...new Map([...older, ...newer].map((message) => [message.id, message])).values()];
}

/** Sorts the notices that have begun, the latest start first. */
export function begun(messages: readonly MessageSummary[], nowMs: number): MessageSummary[] {
  return messages
    .filter(
      (message) =>
        message.state !== "scheduled" && !neverBegan(message) && !isAhead(message, nowMs),
    )
    .toSorted((one, other) => startMs(other) - startMs(one));
}

/** Sorts the notices that are still to come, the earliest start first. */
export function ahead(messages: readonly MessageSummary[], nowMs: number): MessageSummary[] {
  return messages
    .filter((message) => message.state === "scheduled" || isAhead(message, nowMs))
    .toSorted((one, other) => startMs(one) - startMs(other));
}

/** Whether an operator cancelled the notice before its time. */
function neverBegan({ state, counts }: MessageSummary): boolean {
  return state === "cancelled" && Object.values(counts).every((count) => count === 0);
}

/** Whether a notice at each reader's time has begun elsewhere, and its time has not come here. */
function isAhead({ state, scheduleAtLocal }: MessageSummary, nowMs: number): boolean {
  const isGoingOut = state === "sending" || state === "paused";
  return isGoingOut && scheduleAtLocal !== undefined && Date.parse(scheduleAtLocal) > nowMs;
}
