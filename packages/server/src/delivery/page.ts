import type { Outcome } from "../webpush/outcome.ts";
import type { Delivered, Message, Recipient } from "../store/port.ts";
import { retryAtMs } from "./retry.ts";

/** Sends one push and tells what came of it; never rejects. */
export type SendPush = (message: Message, recipient: Recipient) => Promise<Outcome>;

export type PageParts = {
  send: SendPush;
  /** Pushes in flight at once. */
  concurrency: number;
  now: () => number;
  random: () => number;
};

/**
 * Sends a message to a page of recipients, so many at a time.
 * @param recipients each with the attempts that were made before this one
 */
export async function sendPage(
  message: Message,
  recipients: readonly { recipient: Recipient; attempts: number }[],
  parts: PageParts,
): Promise<Delivered[]> {
  const delivered: Delivered[] = [];
  const left = recipients.values();
  async function work(): Promise<void> {
    // One iterator for all workers: each takes the next recipient that nobody has taken.
    for (const { recipient, attempts } of left) {
      const outcome = await parts.send(message, recipient);
      delivered.push(deliveredOf(message, recipient, attempts + 1, outcome, parts));
    }
  }
  await Promise.all(Array.from({ length: parts.concurrency }, work));
  return delivered;
}

function deliveredOf(
  message: Message,
  { registrationId, generation }: Recipient,
  attempts: number,
  outcome: Outcome,
  { now, random }: PageParts,
): Delivered {
  const who = { registrationId, generation };
  if (outcome.kind === "accepted" || outcome.kind === "gone") return { ...who, kind: outcome.kind };
  const { kind, reason, detail } = outcome;
  if (kind !== "retry") return { ...who, kind, reason, detail };
  const dueAtMs = retryAtMs(attempts, outcome.notBefore, {
    nowMs: now(),
    lastMs: message.scheduledAtMs + message.ttlSeconds * 1000,
    random: random(),
  });
  return dueAtMs === null
    ? { ...who, kind: "failed", reason, detail }
    : { ...who, kind, reason, detail, dueAtMs };
}
