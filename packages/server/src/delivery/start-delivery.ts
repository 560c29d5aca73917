import { randomUUID } from "node:crypto";
import type { Log } from "../log.ts";
import { dueInZone } from "../messages/schedule.ts";
import type { PushMetrics } from "../metrics/metrics.ts";
import type { Store } from "../store/port.ts";
import { createBreakers } from "./breakers.ts";
import { createDispatch } from "./dispatch.ts";
import { startLoop, type Loop } from "./loop.ts";
import type { SendPush } from "./page.ts";
import type { PagesUnderWay, Withdraw } from "./under-way.ts";
import { watchHold } from "./watch-hold.ts";
import type { WriteParts } from "./write.ts";

export type DeliveryParts = {
  store: Pick<Store, "delivery" | "messages" | "breakers" | "hold">;
  send: SendPush;
  withdraw: Withdraw;
  /** Epoch, milliseconds. */
  now: () => number;
  metrics: PushMetrics;
  pause: WriteParts["pause"];
  log: Log;
};

export type Delivery = Loop & Pick<PagesUnderWay, "stopEnded" | "stopFor">;

/**
 * Starts the delivery on a data folder of which the caller holds the lock: nobody else works on its batches, so those
 * that a killed server held are free at once. While the store has a hold, nothing is sent.
 */
export async function startDelivery({
  store,
  send,
  withdraw,
  now,
  metrics,
  pause,
  log,
}: DeliveryParts): Promise<Delivery> {
  await store.delivery.releaseAll();
  await store.delivery.clockPutBack(now());
  await store.breakers.probeAllNow(now());
  const dispatch = createDispatch({
    store: store.delivery,
    messages: store.messages,
    breakers: createBreakers({ store: store.breakers, log, metrics, now }),
    send,
    withdraw,
    metrics,
    owner: randomUUID(),
    leaseMs: 60_000,
    pageSize: 500,
    concurrency: 100,
    // Anybody may bring a host of a push service that does not answer.
    unprovenSlots: 10,
    lookups: 3,
    unprovenPageSize: 20,
    patienceMs: 1_000,
    turnsPerDestination: 2,
    probes: { most: 16, mostUnproven: 2 },
    planKeys: 5_000,
    dueInZone,
    now,
    random: Math.random,
    pause,
    log,
  });
  const isHeld = watchHold(store.hold, log);
  const work = async (signal: AbortSignal, wake: () => void) => {
    if (!(await isHeld())) return dispatch.step(signal, wake);
    await dispatch.stepHeld();
    return false;
  };
  const loop = startLoop(work, { pollMs: 200, log });
  return {
    wake: () => loop.wake(),
    check: () => loop.check(),
    stopEnded: () => dispatch.stopEnded(),
    stopFor: (registrationId) => dispatch.stopFor(registrationId),
    async stop() {
      await loop.stop();
      await dispatch.turnsEnded();
    },
  };
}
