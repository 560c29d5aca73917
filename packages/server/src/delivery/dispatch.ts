import { setImmediate } from "node:timers/promises";
import { MessageUnreadable, type ReadyDestination } from "../store/port.ts";
import { destinationName } from "./destination.ts";
import { takeTurn, type TurnParts } from "./turn.ts";

export type DispatchParts = Omit<TurnParts, "choose"> & {
  /** When a message with a local time is due in a time zone; null stands for an unknown one. */
  dueInZone: (localTime: string, timeZone: string | null) => number;
  /** Turns at once, at all destinations together. */
  mostTurns: number;
  /** Turns at once at one destination: while one writes, another sends. */
  turnsPerDestination: number;
  /** Registrations that planning looks at in one step. */
  planKeys: number;
};

const clockStepMs = 60_000;

export type Dispatch = {
  /**
   * Plans a part of one message, starts turns where there is work, and settles what has ended. Does not wait for the
   * turns.
   * @param wake called when a turn that had something to do has ended
   * @returns whether there was anything to plan or to start
   */
  step(signal: AbortSignal, wake: () => void): Promise<boolean>;
  /** Resolves when no turn runs. */
  turnsEnded(): Promise<void>;
};

/**
 * Delivers: plans messages into batches part by part, and meanwhile lets destinations take turns, each at its own
 * pace, so that a push service that hangs holds up no other. All it knows is in the store: whoever starts anew goes on
 * from there.
 */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { store, now, owner, log, mostTurns, turnsPerDestination } = parts;
  /** Turns that run, by their destination. */
  const running = new Map<string, Set<Promise<void>>>();
  let turns = 0;
  let latestMs = now();
  const order = takingTurns();
  const turnParts: TurnParts = { ...parts, choose: (ids) => order.choose(ids) };

  function startTurn(destination: ReadyDestination, signal: AbortSignal, wake: () => void): void {
    const name = destinationName(destination);
    const own = running.get(name) ?? new Set();
    running.set(name, own);
    turns += 1;
    const turn = takeTurn(destination, signal, turnParts)
      .catch((error: unknown) => {
        log.error({ err: error, pushOrigin: destination.pushOrigin }, "delivery turn failed");
        return false;
      })
      .then((worked) => {
        turns -= 1;
        own.delete(turn);
        if (own.size === 0) running.delete(name);
        if (worked) wake();
      });
    own.add(turn);
  }

  /** @returns whether any was started */
  async function startTurns(signal: AbortSignal, wake: () => void): Promise<boolean> {
    const before = turns;
    if (before >= mostTurns) return false;
    for (const destination of await store.readyDestinations(owner, now(), mostTurns * 2)) {
      const own = running.get(destinationName(destination))?.size ?? 0;
      const most = destination.probe ? 1 : turnsPerDestination;
      for (let free = most - own; free > 0 && turns < mostTurns; free -= 1) {
        startTurn(destination, signal, wake);
      }
    }
    return turns > before;
  }

  /** @returns whether there was anything to plan */
  async function plan(): Promise<boolean> {
    try {
      const message = await store.nextToPlan(now());
      if (message === null) return false;
      if (message.state === "scheduled") return await store.startSending(message.id, now());
      const { localTime, scheduledAtMs } = message;
      const dueAt = (timeZone: string | null) =>
        localTime === null ? scheduledAtMs : parts.dueInZone(localTime, timeZone);
      return await store.planPart(message, { keys: parts.planKeys, dueAt }, now());
    } catch (error) {
      if (!(error instanceof MessageUnreadable)) throw error;
      log.error({ err: error, messageId: error.messageId }, "an unreadable message is cancelled");
      return store.cancelUnreadable(error.messageId, now());
    }
  }

  async function settleMessages(): Promise<void> {
    await store.expireBatches(now());
    for (const messageId of await store.pauseHeld()) {
      log.warn({ messageId }, "message paused: its push services are left alone for now");
    }
    for (const messageId of await store.resumeFreed()) log.info({ messageId }, "message resumed");
    for (const messageId of await store.finishMessages(now())) {
      order.forget(messageId);
      log.info({ messageId }, "message done");
    }
  }

  /** Not for a leap second, and not for a clock that is kept right in small steps. */
  async function noticeClock(): Promise<void> {
    const nowMs = now();
    if (nowMs < latestMs - clockStepMs) {
      log.warn({ byMs: latestMs - nowMs }, "the clock was put back");
      await store.clockPutBack(nowMs);
      await parts.breakers.probeAllNow();
    }
    latestMs = nowMs;
  }

  return {
    async step(signal, wake) {
      await noticeClock();
      const planned = await plan();
      const started = await startTurns(signal, wake);
      await settleMessages();
      // The turns, and whoever else is on this thread, come between two steps of planning.
      if (planned) await setImmediate();
      return planned || started;
    },
    async turnsEnded() {
      while (running.size > 0) {
        for (const own of running.values()) await Promise.all(own);
      }
    },
  };
}

/** Messages take turns, so that none waits for another one's long walk; a new one is next. */
function takingTurns() {
  /** Messages that had a turn, the one longest ago first. */
  const worked = new Set<string>();
  return {
    choose(ids: readonly string[]): string | undefined {
      const waiting = new Set(ids);
      // Ids sort by the time they were made.
      const fresh = ids.filter((id) => !worked.has(id)).toSorted()[0];
      const next = fresh ?? [...worked].find((id) => waiting.has(id));
      if (next === undefined) return undefined;
      worked.delete(next);
      worked.add(next);
      return next;
    },
    forget: (id: string) => worked.delete(id),
  };
}
