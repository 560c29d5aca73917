import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { messageStateSchema } from "@sineta/protocol";
import type { Breaker, HoldReason, OutcomeCounts, Store } from "../store/port.ts";
import { pushServiceOf, type PushService } from "../webpush/push-hosts.ts";
import type { PushMetrics } from "./metrics.ts";

/** All that is counted and read, in the text format of Prometheus. */
export type MetricsText = {
  /** Reads the store and the disk's free space. Rejects if one of them cannot be read. */
  text(): Promise<string>;
  /** Of `text`. */
  contentType: string;
};

export type MetricsParts = {
  store: {
    delivery: Pick<Store["delivery"], "queue">;
    breakers: Pick<Store["breakers"], "list">;
    messages: Pick<Store["messages"], "countByState">;
    hold: Pick<Store["hold"], "find">;
  };
  /** Event streams that are open. */
  eventStreams: () => number;
  /** Of the disk that the data folder is on. */
  freeBytes: () => Promise<number>;
  /** SINETA_DISK_LOW_MIB: the console warns below it. */
  lowBytes: number;
  now: () => number;
};

/** Breakers with a line of their own; what is beyond shares one for each push service and reason. */
const mostBreakers = 50;

/** As an operator calls them; what is counted is one push, and no registration. */
const outcomes: Record<keyof OutcomeCounts, string> = {
  accepted: "accepted",
  gone: "ended",
  retry: "retried",
  rejected: "rejected",
  failed: "failed",
};

const pushServices: Record<PushService, true> = {
  fcm: true,
  mozilla: true,
  apple: true,
  windows: true,
  other: true,
};

const holdReasons: Record<HoldReason, true> = { restored: true, cloned: true, asked: true };

/**
 * Each call makes a registry of its own. docs/operating.md explains the metrics. The observers of Node's own figures
 * live as long as the process.
 */
export function createMetrics(parts: MetricsParts): PushMetrics & MetricsText {
  const { store, eventStreams, freeBytes, lowBytes, now } = parts;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const pushes = new Counter({
    name: "sineta_pushes_total",
    help: "Pushes by what came of them. Accepted is what the push service said, not what a browser displayed.",
    labelNames: ["push_service", "outcome"],
    registers,
  });
  const changes = new Counter({
    name: "sineta_breaker_changes_total",
    help: "Breakers that opened or closed.",
    labelNames: ["push_service", "change"],
    registers,
  });
  // A counter that is not there until it counts has no rate when it first does.
  for (const service of Object.keys(pushServices)) {
    for (const outcome of Object.values(outcomes))
      pushes.inc({ push_service: service, outcome }, 0);
    for (const change of ["opened", "closed"]) changes.inc({ push_service: service, change }, 0);
  }

  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const breakerOpen = gauge(
    "sineta_breaker_open",
    "Breakers that are open: each holds back one VAPID key at one push origin.",
    ["push_service", "push_origin", "reason"],
  );
  const queueAge = gauge(
    "sineta_queue_age_seconds",
    "How long the batch has been due that has been due longest: to be sent or to be tried again, held back or not.",
  );
  const openBatches = gauge("sineta_batches_open", "Batches that have not ended.");
  const retries = gauge("sineta_retries_waiting", "Registrations to be tried again.");
  const messages = gauge("sineta_messages", "Messages by state.", ["state"]);
  const held = gauge("sineta_delivery_held", "1 while nothing is delivered for this reason.", [
    "reason",
  ]);
  const streams = gauge("sineta_event_streams", "Event streams that are open.");
  const diskFree = gauge(
    "sineta_disk_free_bytes",
    "Free space on the disk that the data folder is on.",
  );
  gauge("sineta_disk_low_bytes", "SINETA_DISK_LOW_MIB: less free space than this is low.").set(
    lowBytes,
  );

  function setBreakers(breakers: readonly Breaker[]): void {
    breakerOpen.reset();
    for (const [index, { pushOrigin, reason }] of breakers.entries()) {
      const shown = index < mostBreakers ? pushOrigin : "";
      breakerOpen.inc({ push_service: pushServiceOf(pushOrigin), push_origin: shown, reason });
    }
  }

  return {
    pushes: (service, outcome, count) =>
      pushes.inc({ push_service: service, outcome: outcomes[outcome] }, count),
    breaker: (service, change) => changes.inc({ push_service: service, change }),
    contentType: registry.contentType,
    async text() {
      const nowMs = now();
      const [queue, breakers, states, hold, free] = await Promise.all([
        store.delivery.queue(nowMs),
        store.breakers.list(),
        store.messages.countByState(),
        store.hold.find(),
        freeBytes(),
      ]);
      setBreakers(breakers);
      queueAge.set(queue.oldestDueMs === null ? 0 : (nowMs - queue.oldestDueMs) / 1000);
      openBatches.set(queue.openBatches);
      retries.set(queue.retries);
      for (const state of messageStateSchema.options) messages.set({ state }, states[state] ?? 0);
      for (const reason of Object.keys(holdReasons)) {
        held.set({ reason }, Number(hold?.reason === reason));
      }
      streams.set(eventStreams());
      diskFree.set(free);
      return registry.metrics();
    },
  };
}
