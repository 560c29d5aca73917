import type { Delivered, Explanation, Message, Recipient, StoreReason } from "../store/port.ts";
import { printable, type Outcome, type RetryReason } from "../webpush/outcome.ts";
import type { Evidence } from "./evidence.ts";
import { startLanes, type Lane, type Lanes } from "./lanes.ts";
import { retryAtMs } from "./retry.ts";

/**
 * Sends one push and tells what came of it; never rejects.
 * @param endsAtMs when the message's TTL is over; in the past for a first attempt that comes later than that
 */
export type SendPush = (
  message: Message,
  recipient: Recipient,
  endsAtMs: number,
) => Promise<Outcome>;

export type PageParts = {
  send: SendPush;
  /** Pushes in flight at once to one push origin. */
  concurrency: number;
  /** Pushes in flight at once to all push origins together that have never accepted anything: a tenth of the above. */
  unprovenSlots: number;
  /** Of these so many whose push origin has not answered: each may cost a look-up and a connection. */
  lookups: number;
  now: () => number;
  /** From 0 to below 1. */
  random: () => number;
};

/** A recipient with the attempts that were made before this one, and when the first and the latest of them ended. */
export type Turn = {
  recipient: Recipient;
  attempts: number;
  firstTriedAtMs: number | null;
  triedAtMs: number;
};

export type Page = {
  message: Message;
  turns: readonly Turn[];
  /** When the message's TTL is over for these readers. */
  endsAtMs: number;
  /** Push origins that have never accepted anything, below a vendor's wildcard, where anybody can make up another one. */
  madeUp: ReadonlyMap<string, MadeUpHost>;
  /** Whether it is a probe: a breaker holds the push origin then, and decides when it is asked again. */
  isProbe: boolean;
};

/** What is known of a host that may be made up. */
export type MadeUpHost = {
  /** Whether an earlier message has given it up: it is tried once. */
  isGivenUp: boolean;
  /** When another push origin accepted something last. */
  othersAcceptedAtMs: number | null;
};

/** What was never sent is no attempt. */
const unsentReasons: ReadonlySet<RetryReason> = new Set([
  "sender-closed",
  "queue-full",
  "queue-timed-out",
  "withdrawn",
]);

/** Why a message fails at a host that it gives up. */
export const neverAccepted = "never-accepted" satisfies StoreReason;
/** A message gives up on a made-up host after so many attempts over so long, if another push origin accepted something meanwhile. */
const mostAttemptsAtMadeUp = 6;
const triedAtMadeUpMs = 6 * 60 * 60_000;

/** A push that was in a thread which ended, so often: it may be what ends them. */
const mostThreadsEnded = 6;

/**
 * A registration that was refused before waits between two and four minutes, as long as nothing tells whether it is the key. In a
 * probe it does not: once the breaker closes, the key is known to be right.
 */
const attemptsWhenUnclear = 7;

/** So often a key may be refused for one registration while others are accepted under it, before that is believed. */
const mostKeyRefusals = 3;

/** What ends a page early. */
export type PageEnds = {
  /** Aborted when nothing more of it may be begun. */
  readonly ending: AbortController;
  /** Whether its message was cancelled: nothing has come of a push that was withdrawn. */
  isCancelled: boolean;
  /** Registrations that have left: nothing may be begun for them. */
  readonly left: ReadonlySet<number>;
};

/** A page that is being sent. */
export type Sending = {
  readonly lanes: Lanes;
  /** What has come of the pushes so far, by push origin, in any order. */
  readonly delivered: (pushOrigin: string) => readonly Delivered[];
  /** Begins nothing more there. */
  readonly close: (lane: Lane) => void;
  /** The lane goes on as a page of its own: from now on it ends early with that one. */
  readonly handOver: (lane: Lane, to: PageEnds) => void;
};

/**
 * Sends a message to a page of recipients, each push origin at its own pace, until the page is at its end, the push origin had
 * better be left alone, or the page ends early.
 * @param evidenceOf of each push origin of the page
 */
export function sendPage(
  page: Page,
  evidenceOf: (pushOrigin: string) => Evidence,
  ends: PageEnds,
  parts: PageParts,
): Sending {
  const closed = new Set<string>();
  const apart = new Map<string, PageEnds>();
  const delivered = new Map<string, Delivered[]>();
  const endsOf = (pushOrigin: string) => apart.get(pushOrigin) ?? ends;

  async function push(turn: Turn): Promise<boolean> {
    const { recipient } = turn;
    const { registrationId, pushOrigin } = recipient;
    if (endsOf(pushOrigin).left.has(registrationId)) return false;
    const evidence = evidenceOf(pushOrigin);
    const outcome = await parts.send(page.message, recipient, page.endsAtMs).catch(unexpected);
    if (isWithdrawn(outcome)) {
      const { isCancelled, left } = endsOf(pushOrigin);
      // It was never begun: nothing has come of it. Others are sent later.
      if (isCancelled || left.has(registrationId)) return false;
    }
    evidence.note(outcome, recipient, parts.now());
    const own = delivered.get(pushOrigin) ?? [];
    own.push(deliveredOf(page, turn, outcome, evidence, parts));
    delivered.set(pushOrigin, own);
    return "status" in outcome;
  }

  const lanes = startLanes(page.turns, {
    ...parts,
    isProven: (pushOrigin) => evidenceOf(pushOrigin).isKnown(),
    isClosed: (pushOrigin) =>
      endsOf(pushOrigin).ending.signal.aborted ||
      closed.has(pushOrigin) ||
      evidenceOf(pushOrigin).isOpen(),
    push,
  });
  const endWith = ({ ending }: PageEnds) => {
    ending.signal.addEventListener("abort", lanes.goOn, { once: true });
  };
  endWith(ends);
  return {
    lanes,
    delivered: (pushOrigin) => delivered.get(pushOrigin) ?? [],
    close({ pushOrigin }) {
      closed.add(pushOrigin);
      lanes.goOn();
    },
    handOver({ pushOrigin }, to) {
      apart.set(pushOrigin, to);
      endWith(to);
      lanes.goOn();
    },
  };
}

/** A mistake of ours costs one recipient, not the page. */
function unexpected(error: unknown): Outcome {
  return { kind: "failed", reason: "unexpected", detail: printable(String(error)) };
}

function isWithdrawn(outcome: Outcome): boolean {
  return outcome.kind === "retry" && outcome.reason === "withdrawn";
}

function deliveredOf(
  page: Page,
  turn: Turn,
  outcome: Outcome,
  evidence: Evidence,
  parts: PageParts,
): Delivered {
  const { registrationId, generation, pushOrigin, refusedAtMs } = turn.recipient;
  const who = { registrationId, generation, pushOrigin };
  switch (outcome.kind) {
    case "accepted":
      return { ...who, kind: outcome.kind, ...(refusedAtMs === null ? {} : { refused: false }) };
    case "gone":
      return { ...who, kind: outcome.kind };
    case "failed":
      return { ...who, kind: "failed", reason: outcome.reason, detail: outcome.detail };
    case "rejected": {
      const { kind, reason, detail } = outcome;
      const refused = { ...who, ...(reason === "too-large" ? {} : { refused: true }) };
      if (reason !== "vapid-refused") return { ...refused, kind, reason, detail };
      // Our key, not the subscription: kept until the key is right. Where the key is accepted for others between one
      // refusal and the next, again and again, this one was made with another key.
      const counted = evidence.hasAcceptedSince(turn.triedAtMs);
      if (counted && turn.attempts + 1 >= mostKeyRefusals) {
        return { ...refused, kind, reason, detail };
      }
      const unclear = refusedAtMs === null || page.isProbe ? 0 : attemptsWhenUnclear;
      const attempts = counted ? turn.attempts : unclear;
      const again = { reason, detail, notBeforeMs: null, counted };
      return { ...retried(page, { ...turn, attempts }, again, parts), refused: true };
    }
    case "retry": {
      const { reason, detail, notBefore } = outcome;
      const counted = !unsentReasons.has(reason);
      return retried(page, turn, { reason, detail, notBeforeMs: notBefore, counted }, parts);
    }
    default:
      return outcome satisfies never;
  }
}

type Again = Explanation & { notBeforeMs: number | null; counted: boolean };

/** A retry at its time, or failed if that is beyond the message's TTL, or if nothing speaks for another attempt. */
function retried(
  { endsAtMs, madeUp }: Page,
  { recipient, attempts, firstTriedAtMs }: Turn,
  { reason, detail, notBeforeMs, counted }: Again,
  { now, random }: PageParts,
): Delivered {
  const { registrationId, generation, pushOrigin } = recipient;
  const nowMs = now();
  const who = { registrationId, generation, pushOrigin };
  if (counted) {
    const tried = { attempts: attempts + 1, firstTriedAtMs: firstTriedAtMs ?? nowMs };
    if (isMadeUp(madeUp.get(pushOrigin), tried, nowMs)) {
      return {
        ...who,
        kind: "failed",
        reason: neverAccepted,
        detail: `${reason} ${detail}`.trim(),
      };
    }
    if (reason === "sender-failed" && tried.attempts >= mostThreadsEnded) {
      return { ...who, kind: "failed", reason, detail };
    }
  }
  const dueAtMs = retryAtMs(attempts + 1, notBeforeMs, {
    nowMs,
    lastMs: endsAtMs,
    random: random(),
  });
  return dueAtMs === null
    ? { ...who, kind: "failed", reason, detail }
    : { ...who, kind: "retry", reason, detail, dueAtMs, setAtMs: nowMs, counted };
}

/** Whether a message gives up on a host that has never accepted anything. Pure. */
export function isMadeUp(
  host: MadeUpHost | undefined,
  { attempts, firstTriedAtMs }: { attempts: number; firstTriedAtMs: number },
  nowMs: number,
): boolean {
  if (host === undefined) return false;
  if (host.isGivenUp) return true;
  return (
    attempts >= mostAttemptsAtMadeUp &&
    nowMs - firstTriedAtMs >= triedAtMadeUpMs &&
    (host.othersAcceptedAtMs ?? 0) >= firstTriedAtMs
  );
}
