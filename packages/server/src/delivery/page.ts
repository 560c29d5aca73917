import type { Delivered, Explanation, Message, Recipient } from "../store/port.ts";
import type { Outcome, RetryReason } from "../webpush/outcome.ts";
import type { Evidence } from "./evidence.ts";
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
  /** Pushes in flight at once. */
  concurrency: number;
  now: () => number;
  /** From 0 to below 1. */
  random: () => number;
};

/** A recipient with the attempts that were made before this one, and when the latest of them ended. */
export type Turn = { recipient: Recipient; attempts: number; triedAtMs: number };

export type Page = {
  message: Message;
  turns: readonly Turn[];
  /** When the message's TTL is over for these readers. */
  endsAtMs: number;
};

/** What never left the house is no attempt. */
const unsentReasons: ReadonlySet<RetryReason> = new Set([
  "sender-closed",
  "queue-full",
  "queue-timed-out",
]);

/** Whoever was refused before waits between two and four minutes, as long as nothing tells whether it is the key. */
const attemptsWhenUnclear = 7;

/** So often a key may be refused for one registration while others are accepted under it, before that is believed. */
const mostKeyRefusals = 3;

/**
 * Sends a message to a page of recipients, so many at a time, in their order, until the page is at its end, the
 * destination had better be left alone, or the signal is aborted.
 * @returns what came of those that were sent to: the first so many of the page, without a gap
 */
export async function sendPage(
  page: Page,
  evidence: Evidence,
  signal: AbortSignal,
  parts: PageParts,
): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  const left = page.turns.values();
  async function work(): Promise<void> {
    while (!evidence.isOpen() && !signal.aborted) {
      // One iterator for all workers: each takes the next recipient that nobody has taken.
      const { value: turn, done } = left.next();
      if (done === true) return;
      const outcome = await parts.send(page.message, turn.recipient, page.endsAtMs);
      evidence.note(outcome, turn.recipient, parts.now());
      delivered.push(deliveredOf(page, turn, outcome, evidence, parts));
    }
  }
  await Promise.all(Array.from({ length: parts.concurrency }, work));
  evidence.pageEnded();
  return delivered;
}

function deliveredOf(
  page: Page,
  turn: Turn,
  outcome: Outcome,
  evidence: Evidence,
  parts: PageParts,
): Delivered {
  const { registrationId, generation, refusedAtMs } = turn.recipient;
  const who = { registrationId, generation };
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
      // refusal and the next, again and again, it is this one that was made with another key.
      const counted = evidence.hasAcceptedSince(turn.triedAtMs);
      if (counted && turn.attempts + 1 >= mostKeyRefusals) {
        return { ...refused, kind, reason, detail };
      }
      const unclear = refusedAtMs === null ? 0 : attemptsWhenUnclear;
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

/** A retry at its time, or failed if that is beyond the message's TTL. */
function retried(
  { endsAtMs }: Page,
  { recipient: { registrationId, generation }, attempts }: Turn,
  { reason, detail, notBeforeMs, counted }: Again,
  { now, random }: PageParts,
): Delivered {
  const nowMs = now();
  const dueAtMs = retryAtMs(attempts + 1, notBeforeMs, {
    nowMs,
    lastMs: endsAtMs,
    random: random(),
  });
  const what = { registrationId, generation, reason, detail };
  return dueAtMs === null
    ? { ...what, kind: "failed" }
    : { ...what, kind: "retry", dueAtMs, setAtMs: nowMs, counted };
}
