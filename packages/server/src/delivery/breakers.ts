import type { Log } from "../log.ts";
import type { PushMetrics } from "../metrics/metrics.ts";
import type { Breaker, BreakerReason, BreakerStore, Destination } from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { destinationName } from "./destination.ts";
import { createEvidence, isRefusal, readOutcome, type Evidence, type Verdict } from "./evidence.ts";

export type BreakerParts = {
  store: BreakerStore;
  log: Log;
  metrics: PushMetrics;
  now: () => number;
};

/** What is known of destinations: in memory while they are sent to, in the store once they are left alone. */
export type Breakers = {
  /** What is known of a destination whose breaker is closed; every turn there adds to the same. */
  evidence(destination: Destination): Promise<Evidence>;
  /** Opens the breaker if the evidence says so; else tells the operator, once, if nothing is accepted there. */
  openIf(destination: Destination, evidence: Evidence): Promise<void>;
  /** Takes the right to the probe that shows whether it goes again; null if another has it, or none is due. */
  takeProbe(destination: Destination): Promise<Probe | null>;
  /** Lets every open breaker be probed at once. */
  probeAllNow(): Promise<void>;
  /** Closes the breaker, or keeps it open for longer, by what came of the probe. */
  settleProbe(destination: Destination, probed: readonly Probed[]): Promise<void>;
};

export type Probe = {
  /** So many are asked, and nobody else once they all have met trouble. */
  asked: number;
  /** Whether it may be the ones that are asked who are wrong: then those who are known to be refused are not counted. */
  beside: boolean;
};

/** `known`: whether it was known that this registration is refused, whatever becomes of the others. */
export type Probed = { outcome: Outcome; known: boolean };

const firstProbeMs = 5_000;
const longestProbeMs = 5 * 60_000;
/** A throttle may last a day; whoever said so is asked earlier. */
const longestPauseMs = 60 * 60_000;

/**
 * Refusals may be the fault of who is asked. So more are asked each time, or a few hundred registrations of another key
 * would keep everybody behind them waiting.
 */
const firstAsked = 8;
const mostAsked = 128;

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

  async function evidenceOf(destination: Destination): Promise<Evidence> {
    const name = destinationName(destination);
    const remembering = remembered.get(name);
    if (remembering !== undefined) return remembering;
    const hasAccepted = await store.hasEverAccepted(destination);
    // Another turn may have asked at the same time.
    const meanwhile = remembered.get(name);
    if (meanwhile !== undefined) return meanwhile;
    const evidence = createEvidence(pushServiceOf(destination.pushOrigin), hasAccepted);
    remember(name, evidence);
    return evidence;
  }

  function remember(name: string, evidence: Evidence): void {
    for (const oldest of remembered.keys()) {
      if (remembered.size < mostRemembered) break;
      remembered.delete(oldest);
    }
    remembered.set(name, evidence);
  }

  async function openAt({ pushOrigin, vapidKeyId }: Destination): Promise<Breaker | undefined> {
    const open = await store.list();
    return open.find((each) => each.pushOrigin === pushOrigin && each.vapidKeyId === vapidKeyId);
  }

  async function probeFailed(destination: Destination, verdict: Verdict): Promise<void> {
    const { reason, detail, notBeforeMs } = verdict;
    const probes = ((await openAt(destination))?.probes ?? 0) + 1;
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
      const { probes, reason } = (await openAt(destination)) ?? {
        probes: 0,
        reason: "unavailable",
      };
      const nextMs = nextProbeAt(probes, null, nowMs);
      if (!(await store.takeProbe(destination, nowMs, nextMs))) return null;
      const beside = isRefusal(reason);
      return { asked: beside ? Math.min(firstAsked * 2 ** probes, mostAsked) : 1, beside };
    },

    probeAllNow: () => store.probeAllNow(now()),

    async settleProbe(destination, probed) {
      const service = pushServiceOf(destination.pushOrigin);
      const read = probed.map((each) => ({ ...each, read: readOutcome(each.outcome, service) }));
      const works = read.find((each) => each.read === "works");
      if (works !== undefined) return goOn(destination, works.outcome);
      const troubles = read.flatMap(({ known, read: verdict }) =>
        typeof verdict === "string" ? [] : [{ known, verdict }],
      );
      const told = troubles.findLast(({ known, verdict }) => !(known && isRefusal(verdict.reason)));
      if (told !== undefined) return probeFailed(destination, told.verdict);
      if (troubles.length > 0) {
        // None but those who are always refused: whoever comes behind them is not kept waiting for that.
        await store.probeAgain(destination, now());
        return;
      }
      const answered = read.find(
        ({ outcome }) => outcome.kind === "retry" && outcome.status !== undefined,
      );
      if (answered !== undefined) await goOn(destination, answered.outcome);
    },
  };

  async function goOn(destination: Destination, outcome: Outcome): Promise<void> {
    if (!(await store.close(destination))) return;
    // Known from now on, so that one registration that is refused does not open it again.
    const nobody = { registrationId: 0, refusedAtMs: null };
    (await evidenceOf(destination)).note(outcome, nobody, now());
    const { pushOrigin, vapidKeyId } = destination;
    metrics.breaker(pushServiceOf(pushOrigin), "closed");
    log.info({ pushOrigin, vapidKeyId }, "the push service takes messages again");
  }
}
