import { setImmediate } from "node:timers/promises";
import { MessageUnreadable } from "../store/port.ts";
import { destinationName, originName } from "./destination.ts";
import { createTroubleLog } from "./trouble-log.ts";
import { takeProbeTurn, takeTurn, type TurnParts } from "./turn.ts";
import { pagesUnderWay, type PagesUnderWay } from "./under-way.ts";

export type DispatchParts = Omit<TurnParts, "choose" | "underWay" | "adopt" | "troubles"> & {
  /** When a message with a local time is due in a time zone; null stands for an unknown one. */
  dueInZone: (localTime: string, timeZone: string | null) => number;
  /** Turns at once at one destination: while one writes, another sends. */
  turnsPerDestination: number;
  /** Probes at once, and of push origins that have never accepted anything. */
  probes: { most: number; mostUnproven: number };
  /** Registrations that planning looks at in one step. */
  planKeys: number;
};

const clockStepMs = 60_000;

/** Probes that are looked at in one step; those that are due longest come first. */
const mostDueProbes = 100;

export type Dispatch = {
  /**
   * Plans a part of one message, starts turns where there is work, and settles what has ended. Does not wait for the
   * turns.
   * @param wake called when a turn that had something to do has ended
   * @returns whether there was anything to plan or to start
   */
  step(signal: AbortSignal, wake: () => void): Promise<boolean>;
  /** While delivery is held: settles what has ended, and begins nothing. */
  stepHeld(): Promise<void>;
  /** Resolves when no turn runs. */
  turnsEnded(): Promise<void>;
} & Pick<PagesUnderWay, "stopEnded" | "stopFor">;

/**
 * Delivers: plans messages into batches part by part, and meanwhile lets destinations take turns, each at its own
 * pace, so that a push service that hangs holds up no other. All it knows is in the store: a server that starts goes on
 * from there.
 */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { store, now, owner, log, turnsPerDestination, probes } = parts;
  /** Turns that run, by their destination or, of probes, their push origin. */
  const running = new Map<string, Set<Promise<void>>>();
  let latestMs = now();
  const order = takingTurns();
  /** Push origins that a probe runs at. */
  const probed = new Set<string>();
  const underWay = pagesUnderWay(parts);
  const troubles = createTroubleLog({ log, now });
  const turnParts: TurnParts = {
    ...parts,
    choose: (ids) => order.choose(ids),
    underWay,
    troubles,
    adopt: (destination, page) => run(destinationName(destination), { ...destination }, page),
  };

  /** Keeps count of a turn until it ends. */
  function run(
    name: string,
    fields: Record<string, unknown>,
    work: Promise<unknown>,
    wake: () => void = () => undefined,
  ): void {
    const own = running.get(name) ?? new Set();
    running.set(name, own);
    const turn = work
      .catch((error: unknown) => {
        // A fault may last, and the turn is taken again at each poll.
        const line = troubles.mayTell(name, String(error));
        if (line !== null) log.error({ err: error, ...fields, ...line }, "delivery turn failed");
        return false;
      })
      .then((worked) => {
        own.delete(turn);
        if (own.size === 0) running.delete(name);
        if (worked === true) wake();
      });
    own.add(turn);
  }

  /** @returns whether any was started */
  async function startTurns(signal: AbortSignal, wake: () => void): Promise<boolean> {
    let started = false;
    for (const destination of await store.readyDestinations(now())) {
      const name = destinationName(destination);
      const most = destination.lane === "unproven" ? 1 : turnsPerDestination;
      for (let own = running.get(name)?.size ?? 0; own < most; own += 1) {
        run(name, { ...destination }, takeTurn(destination, signal, turnParts), wake);
        started = true;
      }
    }
    return started;
  }

  /** How many more probes may be started. */
  function freeProbes(proven: boolean): number {
    const most = proven ? probes.most : probes.mostUnproven;
    return most - (running.get(probesName(proven))?.size ?? 0);
  }

  /** @returns whether any was started */
  async function startProbes(signal: AbortSignal, wake: () => void): Promise<boolean> {
    if (freeProbes(true) <= 0 && freeProbes(false) <= 0) return false;
    let started = false;
    for (const { proven, ...at } of await store.dueProbes(now(), mostDueProbes)) {
      if (probed.has(originName(at)) || freeProbes(proven) <= 0) continue;
      probed.add(originName(at));
      const turn = takeProbeTurn(at, signal, turnParts).finally(() => {
        probed.delete(originName(at));
      });
      run(probesName(proven), at, turn, wake);
      started = true;
    }
    return started;
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

  async function endWhatIsOver(): Promise<void> {
    await noticeClock();
    await underWay.stopEnded();
    await store.freeEndedLeases(owner, now());
  }

  return {
    async step(signal, wake) {
      await endWhatIsOver();
      const planned = await plan();
      const started = await startTurns(signal, wake);
      const probing = await startProbes(signal, wake);
      await settleMessages();
      // The turns, and all else on this thread, come between two steps of planning.
      if (planned) await setImmediate();
      return planned || started || probing;
    },
    async stepHeld() {
      await endWhatIsOver();
      await settleMessages();
    },
    async turnsEnded() {
      while (running.size > 0) {
        for (const own of running.values()) await Promise.all(own);
      }
    },
    stopEnded: () => underWay.stopEnded(),
    stopFor: (registrationId) => underWay.stopFor(registrationId),
  };
}

/** What probes are counted together by. */
function probesName(proven: boolean): string {
  return `probes ${proven}`;
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
