import type { BreakerReason, Recipient } from "../store/port.ts";
import { ownReasons, type Outcome } from "../webpush/outcome.ts";
import type { PushService } from "../webpush/push-hosts.ts";
import { throttleScope } from "../webpush/quirks.ts";

/** That a push origin had better be left alone for now, and why. */
export type Verdict = {
  reason: BreakerReason;
  /**
   * What the push service said last, behind the status where the reason does not tell it; where it gave no answer, what
   * came instead: a code of `retryReasons`, and behind it `: ` with the cause, as `tls-failed: unable to verify the
   * first certificate`.
   */
  detail: string;
  /** Until when the push service wants to hear nothing (Retry-After); null if it did not say. */
  notBeforeMs: number | null;
};

/**
 * What one outcome tells of its push origin: that it works, that there is trouble, or nothing. Pure.
 *
 * Who is gone, and who cannot take so large a message, was looked up by a push service that works. Apple throttles
 * single devices, which says nothing of the others. What ended on our own side says nothing at all.
 */
export function readOutcome(outcome: Outcome, service: PushService): Verdict | "works" | "nothing" {
  switch (outcome.kind) {
    case "accepted":
    case "gone":
      return "works";
    case "failed":
      return "nothing";
    case "rejected":
      if (outcome.reason === "too-large") return "works";
      if (outcome.reason === "vapid-refused") return trouble("vapid-refused", outcome.detail);
      return trouble("refuses-all", `${outcome.status} ${outcome.detail}`.trim());
    case "retry": {
      const { reason, notBefore, status, detail } = outcome;
      if (ownReasons.has(reason)) return "nothing";
      if (reason === "throttled") {
        return throttleScope(service) === "device"
          ? "nothing"
          : trouble("throttled", detail, notBefore);
      }
      if (status !== undefined)
        return trouble("unavailable", `${status} ${detail}`.trim(), notBefore);
      return trouble("unavailable", detail === "" ? reason : `${reason}: ${detail}`, notBefore);
    }
    default:
      return outcome satisfies never;
  }
}

function trouble(
  reason: BreakerReason,
  detail: string,
  notBeforeMs: number | null = null,
): Verdict {
  return { reason, detail, notBeforeMs };
}

/** Turned down for good: because of our key, or of the one registration, which anybody may have made up. */
export function isRefusal(reason: BreakerReason): boolean {
  return reason === "vapid-refused" || reason === "refuses-all";
}

/** So many registrations that meet troubles of a kind, and nothing that worked between, open the breaker. */
export type Patience = Readonly<Record<BreakerReason, number>>;

/** A key that is refused is refused every time; the others may be chance while a push service has a bad minute. */
const atFirst: Patience = {
  "vapid-refused": 3,
  throttled: 10,
  unavailable: 20,
  "refuses-all": 20,
};

/** Where something was accepted before, it is more likely that somebody has brought registrations of another key. */
const onceAccepted: Patience = { ...atFirst, "vapid-refused": 50, "refuses-all": 50 };

/** What is known of one push origin whose breaker is closed. In memory: a server that starts soon knows it again. */
export type Evidence = {
  /** A registration that was refused before may be wrong itself: that it is refused again tells nothing. */
  note(
    outcome: Outcome,
    to: Pick<Recipient, "registrationId" | "refusedAtMs">,
    nowMs: number,
  ): void;
  /** Says that nothing more comes of a page. A key that was refused and never accepted is enough then, however small the page. */
  pageEnded(): void;
  /** Whether the push origin had better be left alone. Stays so. */
  isOpen(): boolean;
  /** Why it is, to the first who asks; null to everybody else. */
  takeVerdict(): Verdict | null;
  /**
   * What is wrong while nothing is accepted, if that is not enough to leave the push origin alone: once until something
   * works again, at the end of a page. Where it had worked before, a few attempts may fail without a word.
   */
  takeWarning(): Warning | null;
  /** Whether it has ever accepted a push under this key. */
  isKnown(): boolean;
  /** Whether it has accepted a push under this key since then. */
  hasAcceptedSince(sinceMs: number): boolean;
};

/** Trouble that the breaker is not opened for, with how many registrations have met it. */
export type Warning = Pick<Verdict, "reason" | "detail"> & { registrations: number };

/** So many attempts in a row fail before it is told of a push origin that has worked before. */
const enoughToWarn = 3;

/**
 * @param hasAccepted whether the push origin is known to have accepted a push under this key, whenever that was
 * @param patience for what is other than with every push origin
 */
export function createEvidence(
  service: PushService,
  hasAccepted = false,
  patience?: Patience,
): Evidence {
  /**
   * Registrations that met a trouble of this kind since something worked. One alone is never enough, however often it
   * is tried: it may be the one that is wrong.
   */
  const streaks = new Map<BreakerReason, Set<number>>();
  /** The same with those that do not count, which the operator is told of. */
  const met = new Map<BreakerReason, Set<number>>();
  let last: Verdict | null = null;
  let acceptedAtMs: number | null = null;
  let open = false;
  let taken = false;
  /** Attempts that failed since something worked. */
  let failures = 0;
  let ended = false;
  let warned = false;

  const isKnown = () => hasAccepted || acceptedAtMs !== null;
  const enough = () => patience ?? (isKnown() ? onceAccepted : atFirst);

  return {
    note(outcome, { registrationId, refusedAtMs }, nowMs) {
      const read = readOutcome(outcome, service);
      if (read === "nothing") return;
      if (read === "works") {
        // Nearly always there is nothing to forget, and to clear a map is to make another one.
        if (failures > 0) {
          streaks.clear();
          met.clear();
          failures = 0;
        }
        warned = false;
        if (outcome.kind === "accepted") acceptedAtMs = nowMs;
        return;
      }
      failures += 1;
      ended = false;
      add(met, read.reason, registrationId);
      const counts = refusedAtMs === null || !isRefusal(read.reason);
      if (counts) add(streaks, read.reason, registrationId);
      if (open) return;
      last = read;
      open = counts && (streaks.get(read.reason)?.size ?? 0) >= enough()[read.reason];
    },
    pageEnded() {
      ended = true;
      const refused = streaks.has("vapid-refused");
      if (refused && !isKnown() && last?.reason === "vapid-refused") open = true;
    },
    isOpen: () => open,
    isKnown,
    takeVerdict() {
      if (!open || taken) return null;
      taken = true;
      return last;
    },
    takeWarning() {
      const wanted = isKnown() ? enoughToWarn : 1;
      if (open || warned || !ended || last === null || failures < wanted) return null;
      warned = true;
      const { reason, detail } = last;
      return { reason, detail, registrations: met.get(reason)?.size ?? 0 };
    },
    hasAcceptedSince: (sinceMs) => acceptedAtMs !== null && acceptedAtMs >= sinceMs,
  };
}

function add(
  sets: Map<BreakerReason, Set<number>>,
  reason: BreakerReason,
  registrationId: number,
): void {
  sets.set(reason, (sets.get(reason) ?? new Set()).add(registrationId));
}
