import { setImmediate as othersTurn } from "node:timers/promises";
import { createTurns, type Turns } from "./turns.ts";

type Bounds = { atOnce: number; waiting: number };

/**
 * Waits for a caller's turn. @returns what ends it, to be called once
 * @throws NoTurnLeft at once, where the caller, or all together, wait for as many as may
 */
export type CallerTurns = (caller: string) => Promise<() => void>;

/**
 * Turns at what costs the server much: so many at once for each caller, so that none takes all of them, and so many in all.
 * @param bounds.inAll its `waiting` is room for callers who each wait for as much as they may
 */
export function createCallerTurns(bounds: { perCaller: Bounds; inAll: Bounds }): CallerTurns {
  const takeOfAll = createTurns(bounds.inAll);
  const ofCallers = new Map<string, { take: Turns; count: number }>();

  return (caller) =>
    new Promise((resolve, reject) => {
      const own = ofCallers.get(caller) ?? { take: createTurns(bounds.perCaller), count: 0 };
      ofCallers.set(caller, own);
      own.count += 1;
      const work = async () => {
        // Work that never waits for anything would follow upon work, with nobody else answered in between.
        await othersTurn();
        await new Promise<void>((end) => resolve(end));
      };
      void own
        .take(() => takeOfAll(work))
        .catch(reject)
        .finally(() => {
          own.count -= 1;
          if (own.count === 0) ofCallers.delete(caller);
        });
    });
}
