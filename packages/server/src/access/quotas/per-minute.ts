import { RateLimiterMemory } from "rate-limiter-flexible";
import { callerKey } from "../caller.ts";
import { secondsUntilRoom } from "../room.ts";
import type { Actor } from "../../store/port.ts";

/** What one API key may ask for in a minute: whoever has stolen it could count topics and try tokens by them. */
export const dryRunsPerMinute = 60;
/** What one caller may take away in a minute: each leaves a line in the audit, and reads all that it has. */
export const exportsPerMinute = 30;

/** Counts what a caller asks for. @returns null: there was room; else in how many seconds there will be */
export type MinuteRoom = (actor: Actor) => Promise<number | null>;

/** What it counts is in memory: a restart forgets it. */
export function createMinuteRoom(perMinute: number): MinuteRoom {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return (actor) => secondsUntilRoom(limiter, callerKey(actor));
}
