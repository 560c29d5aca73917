import type { PushOriginKey } from "./delivery.ts";

/** A push origin that is left alone for now, and why. One without a breaker is sent to. */
export type Breaker = PushOriginKey & {
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
  /** closed -> open: holds the batches of this push origin. Only if it is not open. */
  open(breaker: Omit<Breaker, "probes">): Promise<boolean>;
  /** open -> open: takes the right to the one probe, the next at `nextProbeAtMs`. Only if a probe is due. */
  takeProbe(at: PushOriginKey, nowMs: number, nextProbeAtMs: number): Promise<boolean>;
  /** open -> open: the probe failed. Only if it is open. */
  probeFailed(
    at: PushOriginKey,
    failure: Pick<Breaker, "reason" | "detail" | "probeAtMs">,
  ): Promise<boolean>;
  /** open -> open: the probe told nothing, so the next may come at once. Changes nothing else. */
  probeAgain(at: PushOriginKey, nowMs: number): Promise<boolean>;
  /** open -> closed: its batches are free. Only if it is open. */
  close(at: PushOriginKey): Promise<boolean>;
  /** Lets every open breaker be probed at once: after a start, whoever runs the server may have mended the cause. */
  probeAllNow(nowMs: number): Promise<void>;
  list(): Promise<Breaker[]>;
  /** Whether anything was ever accepted there, under this key. */
  hasEverAccepted(at: PushOriginKey): Promise<boolean>;
};
