const firstDelayMs = 2_000;
const longestDelayMs = 15 * 60_000;

/** Spread over which those come back whom a push service told the same time. */
export const spreadMs = 1_000;

/**
 * When to try again: after a delay that doubles with each attempt up to a quarter of an hour, of which a random
 * half is taken off so that many do not come back at once; and never before the time that the push service named.
 * Nothing but the message's TTL ends the trying: an outage may last as long as the message is worth sending.
 * @param attempts made so far, at least 1
 * @param notBeforeMs what the push service asked for (Retry-After), null if nothing
 * @param random from 0 to below 1
 * @param lastMs when the message's TTL is over
 * @returns the time, or null to give up
 */
export function retryAtMs(
  attempts: number,
  notBeforeMs: number | null,
  { nowMs, lastMs, random }: { nowMs: number; lastMs: number; random: number },
): number | null {
  const delayMs = Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs);
  const backoffMs = nowMs + Math.round(delayMs * (1 - random / 2));
  const atMs = Math.max(backoffMs, (notBeforeMs ?? 0) + Math.round(spreadMs * random));
  return atMs < lastMs ? atMs : null;
}
