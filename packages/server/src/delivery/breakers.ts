import type { Log } from "../log.ts";
import type { PushMetrics } from "../metrics/metrics.ts";
import type { BreakerReason, BreakerStore, Destination } from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { destinationName } from "./destination.ts";
import { createEvidence, readOutcome, type Evidence, type Verdict } from "./evidence.ts";

export type BreakerParts = {
  store: BreakerStore;
  log: Log;
  metrics: PushMetrics;
  now: () => number;
};

/** What is known of destinations: in memory while they are sent to, in the store once they are left alone. */
export type Breakers = {
  /** What is known of a destination whose breaker is closed; every turn there adds to the same. */
  evidence(destination: Destination): Evidence;
  /** Opens the breaker if the evidence says so; else tells the operator, once, if nothing is accepted there. */
  openIf(destination: Destination, evidence: Evidence): Promise<void>;
  /** Takes the right to send the one push that shows whether it goes again. */
  takeProbe(destination: Destination): Promise<boolean>;
  /** Lets every open breaker be probed at once. */
  probeAllNow(): Promise<void>;
  /** Closes the breaker, or keeps it open for longer, by what came of the probe. */
  settleProbe(destination: Destination, outcome: Outcome): Promise<void>;
};

const firstProbeMs = 5_000;
const longestProbeMs = 5 * 60_000;
/** A throttle may last a day; whoever said so is asked earlier. */
const longestPauseMs = 60 * 60_000;

/** Destinations that are remembered. Any browser may bring a new subdomain of a push service. */
const mostRemembered = 1_000;

const remedies: Readonly<Record<BreakerReason, string>> = {
  "vapid-refused":
    "the push service refuses the VAPID key or token, so nothing more is sent there; nobody was removed, and delivery goes on once the key is right",
  unavailable: "the push service does not answer or fails, so it is left alone for a while",
  throttled: "the push service asks to send less, so it is left alone for a while",
  "refuses-all": "the push service refuses every request, so it is left alone for a while",
};

/**
 * How long after a failed probe the next one may be: longer each time, and as long as the push service asked for.
 * @param probes that have failed
 */
export function nextProbeAt(probes: number, notBeforeMs: number | null, nowMs: number): number {
  const backoffMs = Math.min(firstProbeMs * 2 ** probes, longestProbeMs);
  const askedMs = Math.min((notBeforeMs ?? 0) - nowMs, longestPauseMs);
  return nowMs + Math.max(backoffMs, askedMs);
}

export function createBreakers({ store, log, metrics, now }: BreakerParts): Breakers {
  const remembered = new Map<string, Evidence>();

  function evidenceOf(destination: Destination): Evidence {
    const name = destinationName(destination);
    let evidence = remembered.get(name);
    if (evidence === undefined) {
      evidence = createEvidence(pushServiceOf(destination.pushOrigin));
      for (const oldest of remembered.keys()) {
        if (remembered.size < mostRemembered) break;
        remembered.delete(oldest);
      }
      remembered.set(name, evidence);
    }
    return evidence;
  }

  async function probesOf({ pushOrigin, vapidKeyId }: Destination): Promise<number> {
    const open = await store.list();
    const own = open.find(
      (each) => each.pushOrigin === pushOrigin && each.vapidKeyId === vapidKeyId,
    );
    return own?.probes ?? 0;
  }

  async function probeFailed(destination: Destination, verdict: Verdict): Promise<void> {
    const { reason, detail, notBeforeMs } = verdict;
    const probes = (await probesOf(destination)) + 1;
    const probeAtMs = nextProbeAt(probes, notBeforeMs, now());
    await store.probeFailed(destination, { reason, detail, probeAtMs });
    log.info({ ...destination, reason, detail, probes, probeAtMs }, "probe failed");
  }

  function warnIf({ pushOrigin, vapidKeyId }: Destination, evidence: Evidence): void {
    const warning = evidence.takeWarning();
    if (warning === null) return;
    const words = "the push service accepts nothing at the moment; what waits is tried again";
    log.warn({ pushOrigin, vapidKeyId, ...warning }, words);
  }

  return {
    evidence: evidenceOf,

    async openIf(destination, evidence) {
      const verdict = evidence.takeVerdict();
      if (verdict === null) return warnIf(destination, evidence);
      const { reason, detail, notBeforeMs } = verdict;
      const openedAtMs = now();
      const probeAtMs = nextProbeAt(0, notBeforeMs, openedAtMs);
      const { pushOrigin, vapidKeyId } = destination;
      try {
        const breaker = { pushOrigin, vapidKeyId, reason, detail, openedAtMs, probeAtMs };
        // Another turn may have opened it meanwhile, and has told so.
        if (!(await store.open(breaker))) return;
      } finally {
        // What was known has led to this. After a probe everything is learned anew.
        remembered.delete(destinationName(destination));
      }
      metrics.breaker(pushServiceOf(pushOrigin), "opened");
      const level = reason === "vapid-refused" ? "error" : "warn";
      log[level]({ pushOrigin, vapidKeyId, reason, detail, probeAtMs }, remedies[reason]);
    },

    async takeProbe(destination) {
      const nowMs = now();
      const probes = await probesOf(destination);
      return store.takeProbe(destination, nowMs, nextProbeAt(probes, null, nowMs));
    },

    probeAllNow: () => store.probeAllNow(now()),

    async settleProbe(destination, outcome) {
      const service = pushServiceOf(destination.pushOrigin);
      const read = readOutcome(outcome, service);
      const answered = outcome.kind === "retry" && outcome.status !== undefined;
      if (read === "nothing" && !answered) return;
      if (read !== "works" && read !== "nothing") return probeFailed(destination, read);
      if (!(await store.close(destination))) return;
      // Known from now on, so that one registration that is refused does not open it again.
      evidenceOf(destination).note(outcome, 0, now());
      metrics.breaker(service, "closed");
      const { pushOrigin, vapidKeyId } = destination;
      log.info({ pushOrigin, vapidKeyId }, "the push service takes messages again");
    },
  };
}
