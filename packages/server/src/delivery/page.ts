import type { Outcome, RetryReason } from "../webpush/outcome.ts";
import type { Delivered, Explanation, Message, Recipient } from "../store/port.ts";
import { retryAtMs } from "./retry.ts";
import type { Silence } from "./silence.ts";

/** Sends one push and tells what came of it; never rejects. */
export type SendPush = (message: Message, recipient: Recipient) => Promise<Outcome>;

export type PageParts = {
  send: SendPush;
  /** Pushes in flight at once. */
  concurrency: number;
  now: () => number;
  random: () => number;
};

/** A recipient with the attempts that were made before this one. */
type Turn = { recipient: Recipient; attempts: number };

/** What never left the house is no attempt. */
const unsentReasons: ReadonlySet<RetryReason> = new Set([
  "sender-closed",
  "queue-full",
  "queue-timed-out",
]);

/**
 * Sends a message to a page of recipients, so many at a time. Who is at a push service that has fallen silent is
 * not sent to and comes back later, so that a page lasts about as long as one push may.
 * @param silence what is known of this turn's push services; the page adds to it
 */
export async function sendPage(
  message: Message,
  turns: readonly Turn[],
  silence: Silence,
  parts: PageParts,
): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  const left = turns.values();
  async function work(): Promise<void> {
    // One iterator for all workers: each takes the next recipient that nobody has taken.
    for (const turn of left) {
      const { recipient } = turn;
      if (silence.has(recipient.pushOrigin)) {
        delivered.push(retried(message, turn, unattempted, parts));
        continue;
      }
      const outcome = await parts.send(message, recipient);
      silence.note(recipient.pushOrigin, outcome);
      delivered.push(deliveredOf(message, turn, outcome, parts));
    }
  }
  await Promise.all(Array.from({ length: parts.concurrency }, work));
  return delivered;
}

type Again = Explanation & { notBefore: number | null; counted: boolean };

const unattempted: Again = {
  reason: "push-service-silent",
  detail: "the push service answered none of the pushes before this one",
  notBefore: null,
  counted: false,
};

function deliveredOf(message: Message, turn: Turn, outcome: Outcome, parts: PageParts): Delivered {
  if (outcome.kind === "retry") {
    const counted = !unsentReasons.has(outcome.reason);
    return retried(message, turn, { ...outcome, counted }, parts);
  }
  const { registrationId, generation } = turn.recipient;
  const who = { registrationId, generation };
  if (outcome.kind === "accepted" || outcome.kind === "gone") return { ...who, kind: outcome.kind };
  const { kind, reason, detail } = outcome;
  return { ...who, kind, reason, detail };
}

/** A retry at its time, or failed if that is beyond the message's TTL. */
function retried(
  message: Message,
  { recipient: { registrationId, generation }, attempts }: Turn,
  { reason, detail, notBefore, counted }: Again,
  { now, random }: PageParts,
): Delivered {
  const dueAtMs = retryAtMs(attempts + 1, notBefore, {
    nowMs: now(),
    lastMs: message.scheduledAtMs + message.ttlSeconds * 1000,
    random: random(),
  });
  const what = { registrationId, generation, reason, detail };
  return dueAtMs === null
    ? { ...what, kind: "failed" }
    : { ...what, kind: "retry", dueAtMs, counted };
}
