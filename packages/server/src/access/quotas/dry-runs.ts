import { RateLimiterMemory } from "rate-limiter-flexible";
import { secondsUntilRoom } from "../room.ts";

/** What one API key may ask for in a minute: whoever has stolen it could count topics and try tokens by them. */
export const dryRunsPerMinute = 60;

/** Counts a key's dry runs. @returns null: there was room; else in how many seconds there will be */
export type DryRunRoom = (apiKeyId: number) => Promise<number | null>;

/** What it counts is in memory: a restart forgets it. */
export function createDryRunRoom(): DryRunRoom {
  const limiter = new RateLimiterMemory({ points: dryRunsPerMinute, duration: 60 });
  return (apiKeyId) => secondsUntilRoom(limiter, String(apiKeyId));
}
