import type { Log } from "../log.ts";
import type { PushMetrics } from "../metrics/metrics.ts";
import type { Breaker, BreakerReason, BreakerStore, PushOriginKey } from "../store/port.ts";
import type { Outcome } from "../webpush/outcome.ts";
import { pushServiceNameOf, pushServiceOf } from "../webpush/push-hosts.ts";
import { originName } from "./destination.ts";
import { createEvidence, isRefusal, readOutcome, type Evidence, type Verdict } from "./evidence.ts";
import { spreadMs } from "./retry.ts";
import { createTroubleLog } from "./trouble-log.ts";

export type BreakerParts = {
  store: BreakerStore;
  log: Log;
  metrics: PushMetrics;
  now: () => number;
};

/** What is known of push origins: in memory while they are sent to, in the store once they are left alone. */
export type Breakers = {
  /** What is known of a push origin whose breaker is closed; every turn there adds to the same. */
  evidence(at: PushOriginKey): Promise<Evidence>;
  /** Opens the breaker if the evidence says so; else tells the operator, once, if nothing is accepted there. */
  openIf(at: PushOriginKey, evidence: Evidence): Promise<void>;
  /** Takes the right to the probe that shows whether it goes again; null if another has it, or none is due. */
  takeProbe(at: PushOriginKey): Promise<Probe | null>;
  /** Lets every open breaker be probed at once. */
  probeAllNow(): Promise<void>;
  /** Closes the breaker, or keeps it open for longer, by what came of the probe. */
  settleProbe(at: PushOriginKey, probed: readonly Probed[]): Promise<void>;
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
 * So many are asked of a push service that is down or asks to send less: the one that was tried most, one that was
 * tried before, and a new one. Some push services refuse each newcomer a few times, and some refuse one registration
 * always.
 */
const askedInTrouble = 3;

/** After so many probes more are asked, twice as many each time: those that were asked may be refused always. */
const probesOfFew = 2;
const mostAskedInTrouble = 12;

/**
 * Refusals may be the fault of who is asked. So more are asked each time, or a few hundred registrations of another key
 * would keep everybody behind them waiting.
 */
const firstAsked = 8;
const mostAsked = 128;

/** Push origins that are remembered. Any browser may bring a new one. */
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
  const askedMs = Math.min((notBeforeMs ?? 0) + spreadMs - nowMs, longestPauseMs);
  return nowMs + Math.max(backoffMs, askedMs);
}

/**
 * Why a probe failed that has met several troubles: for the same reason as before, if any of them is that. A refusal may
 * be the fault of the one who was asked, so others come before it.
 */
function mainOf(told: readonly Verdict[], before: BreakerReason | undefined): Verdict | undefined {
  return (
    told.findLast(({ reason }) => reason === before) ??
    told.findLast(({ reason }) => !isRefusal(reason)) ??
    told.at(-1)
  );
}

export function createBreakers({ store, log, metrics, now }: BreakerParts): Breakers {
  const remembered = new Map<string, Evidence>();
  const bounds = createTroubleLog({ log, now });

  async function evidenceOf(at: PushOriginKey): Promise<Evidence> {
    const name = originName(at);
    const remembering = remembered.get(name);
    if (remembering !== undefined) {
      // The one that was asked for last is forgotten last.
      remembered.delete(name);
      remembered.set(name, remembering);
      return remembering;
    }
    const hasAccepted = await store.hasEverAccepted(at);
    // Another turn may have asked at the same time.
    const meanwhile = remembered.get(name);
    if (meanwhile !== undefined) return meanwhile;
    const evidence = createEvidence(pushServiceOf(at.pushOrigin), hasAccepted);
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

  async function openAt({ pushOrigin, vapidKeyId }: PushOriginKey): Promise<Breaker | undefined> {
    const open = await store.list();
    return open.find((each) => each.pushOrigin === pushOrigin && each.vapidKeyId === vapidKeyId);
  }

  async function probeFailed(at: PushOriginKey, told: readonly Verdict[]): Promise<void> {
    const open = await openAt(at);
    const verdict = mainOf(told, open?.reason);
    if (verdict === undefined) return;
    const { reason, detail } = verdict;
    const notBeforeMs = Math.max(...told.map((each) => each.notBeforeMs ?? 0));
    const probes = (open?.probes ?? 0) + 1;
    const probeAtMs = nextProbeAt(probes, notBeforeMs, now());
    await store.probeFailed(at, { reason, detail, probeAtMs });
    await tell("info", at, { reason, detail, probes, probeAtMs }, "probe failed");
  }

  async function warnIf(at: PushOriginKey, evidence: Evidence): Promise<void> {
    const warning = evidence.takeWarning();
    if (warning === null) return;
    const words = "the push service accepts nothing at the moment; what waits is tried again";
    await tell("warn", at, warning, words);
  }

  /** Of push origins that have never accepted anything, which anybody may bring, only so many lines as it takes to know. */
  async function tell(
    level: "info" | "warn" | "error",
    { pushOrigin, vapidKeyId }: PushOriginKey,
    fields: { reason?: BreakerReason } & Record<string, unknown>,
    words: string,
  ): Promise<void> {
    const isProven = await store.hasEverAccepted({ pushOrigin, vapidKeyId });
    const kind = `${words} ${fields.reason}`;
    const line = isProven ? {} : bounds.mayTell(pushServiceNameOf(pushOrigin), kind);
    if (line !== null) log[level]({ pushOrigin, vapidKeyId, ...fields, ...line }, words);
  }

  return {
    evidence: evidenceOf,

    async openIf(at, evidence) {
      const verdict = evidence.takeVerdict();
      if (verdict === null) return warnIf(at, evidence);
      const { reason, detail, notBeforeMs } = verdict;
      const openedAtMs = now();
      const probeAtMs = nextProbeAt(0, notBeforeMs, openedAtMs);
      const { pushOrigin, vapidKeyId } = at;
      const breaker = { pushOrigin, vapidKeyId, reason, detail, openedAtMs, probeAtMs };
      try {
        // Another turn may have opened it meanwhile, and has told so.
        if (!(await store.open(breaker))) return;
      } finally {
        // What was known has led to this. After a probe everything is learned anew.
        remembered.delete(originName(at));
      }
      metrics.breaker(pushServiceOf(pushOrigin), "opened");
      const level = reason === "vapid-refused" ? "error" : "warn";
      await tell(level, at, { reason, detail, probeAtMs }, remedies[reason]);
    },

    async takeProbe(at) {
      const nowMs = now();
      const { probes, reason } = (await openAt(at)) ?? {
        probes: 0,
        reason: "unavailable",
      };
      const nextMs = nextProbeAt(probes, null, nowMs);
      if (!(await store.takeProbe(at, nowMs, nextMs))) return null;
      const beside = isRefusal(reason);
      const asked = beside
        ? Math.min(firstAsked * 2 ** probes, mostAsked)
        : Math.min(askedInTrouble * 2 ** Math.max(0, probes - probesOfFew), mostAskedInTrouble);
      return { asked, beside };
    },

    probeAllNow: () => store.probeAllNow(now()),

    async settleProbe(at, probed) {
      const service = pushServiceOf(at.pushOrigin);
      const read = probed.map((each) => ({ ...each, read: readOutcome(each.outcome, service) }));
      const works = read.find((each) => each.read === "works");
      if (works !== undefined) return goOn(at, works.outcome);
      const troubles = read.flatMap(({ known, read: verdict }) =>
        typeof verdict === "string" ? [] : [{ known, verdict }],
      );
      const told = troubles.flatMap(({ known, verdict }) =>
        known && isRefusal(verdict.reason) ? [] : [verdict],
      );
      if (told.length > 0) return probeFailed(at, told);
      if (troubles.length > 0) {
        // None but those who are always refused: whoever comes behind them is not kept waiting for that.
        await store.probeAgain(at, now());
        return;
      }
      const answered = read.find(
        ({ outcome }) => outcome.kind === "retry" && outcome.status !== undefined,
      );
      if (answered !== undefined) await goOn(at, answered.outcome);
    },
  };

  async function goOn(at: PushOriginKey, outcome: Outcome): Promise<void> {
    if (!(await store.close(at))) return;
    // Known from now on, so that one registration that is refused does not open it again.
    const nobody = { registrationId: 0, refusedAtMs: null };
    (await evidenceOf(at)).note(outcome, nobody, now());
    metrics.breaker(pushServiceOf(at.pushOrigin), "closed");
    await tell("info", at, {}, "the push service takes messages again");
  }
}
