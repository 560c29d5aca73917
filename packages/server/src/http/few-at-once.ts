import { createMiddleware } from "hono/factory";
import { callerKey } from "../access/caller.ts";
import { createCallerTurns, type CallerTurns } from "../access/caller-turns.ts";
import { NoTurnLeft } from "../access/turns.ts";
import type { Actor } from "../store/port.ts";
import type { ProjectEnv } from "./origin.ts";
import { HttpProblem } from "./problem.ts";

/** Nobody knows how long the work before will take; the next second is as good as any. */
const soonSeconds = 1;

/** What ends the turn, to be called once. @throws HttpProblem `too-many-at-once` */
export type TakeTurn = (asker: { actor: Actor }) => Promise<() => void>;

/**
 * Turns at costly work of one kind (caller-turns.ts).
 * @param retryAfterSeconds `Retry-After` of a refused caller
 */
export function turnsOf(
  bounds: Parameters<typeof createCallerTurns>[0],
  retryAfterSeconds: number = soonSeconds,
): TakeTurn {
  const take: CallerTurns = createCallerTurns(bounds);
  return async ({ actor }) => {
    try {
      return await take(callerKey(actor));
    } catch (error) {
      if (!(error instanceof NoTurnLeft)) throw error;
      throw new HttpProblem("too-many-at-once", undefined, retryAfterSeconds);
    }
  };
}

/** Lets so many through at once, for each caller and in all; others wait for their turn. To stand behind the guard. */
export function fewAtOnce(bounds: Parameters<typeof turnsOf>[0]) {
  const take = turnsOf(bounds);
  return createMiddleware<ProjectEnv>(async (context, next) => {
    const end = await take(context.get("asker"));
    try {
      await next();
    } finally {
      end();
    }
  });
}
