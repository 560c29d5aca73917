import type { Destination } from "./delivery.ts";

/** A destination that is left alone for now, and why. A destination without one is sent to. */
export type Breaker = Destination & {
  reason: BreakerReason;
  /** What the push service said. */
  detail: string;
  openedAtMs: number;
  /** When one push may be sent to see whether it goes again. */
  probeAtMs: number;
  /** Probes that failed. */
  probes: number;
};

/** `vapid-refused`: it refuses the key. `unavailable`: no answers, or 5xx. `throttled`: it asks for a pause. `refuses-all`: every request is refused in another way. */
export type BreakerReason = "vapid-refused" | "unavailable" | "throttled" | "refuses-all";

export type BreakerStore = {
  /** closed -> open. Only if it is not open. */
  open(breaker: Omit<Breaker, "probes">): Promise<boolean>;
  /** open -> open: takes the right to the one probe, the next at `nextProbeAtMs`. Only if a probe is due. */
  takeProbe(destination: Destination, nowMs: number, nextProbeAtMs: number): Promise<boolean>;
  /** open -> open: the probe failed. Only if it is open. */
  probeFailed(
    destination: Destination,
    failure: Pick<Breaker, "reason" | "detail" | "probeAtMs">,
  ): Promise<boolean>;
  /** open -> open: the probe told nothing, so the next may come at once. Changes nothing else. */
  probeAgain(destination: Destination, nowMs: number): Promise<boolean>;
  /** open -> closed. Only if it is open. */
  close(destination: Destination): Promise<boolean>;
  /** Lets every open breaker be probed at once: after a start, whoever runs the server may have mended the cause. */
  probeAllNow(nowMs: number): Promise<void>;
  list(): Promise<Breaker[]>;
  /** Whether a batch is kept of which anything was accepted there, under this key. */
  hasEverAccepted(destination: Destination): Promise<boolean>;
};
