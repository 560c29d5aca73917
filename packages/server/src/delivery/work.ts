import type { Delivered, DeliveryStore, DueRetry, Message } from "../store/port.ts";
import type { Log } from "../log.ts";
import { sendPage, type PageParts } from "./page.ts";

export type WorkParts = PageParts & {
  store: DeliveryStore;
  /** Registrations between two checkpoints: after a crash at most so many are sent to twice. */
  pageSize: number;
  log: Log;
};

/**
 * One step of the most urgent message: a page of its audience, and the retries that are due.
 * @returns whether there was anything to do
 */
export async function workOnce(parts: WorkParts): Promise<boolean> {
  const { store, now } = parts;
  const message = await store.nextDue(now());
  if (message === null) return false;
  if (message.scheduledAtMs + message.ttlSeconds * 1000 <= now()) {
    await store.expire(message.id, now());
  } else if (message.state === "scheduled") {
    await store.startSending(message.id, now());
  } else {
    await walkPage(message, parts);
    await retryPage(message, parts);
    await store.finish(message.id, now());
  }
  return true;
}

async function walkPage(message: Message, parts: WorkParts): Promise<void> {
  const { cursor: from, watermark } = message;
  if (watermark === null || from >= watermark) return;
  const recipients = await parts.store.audiencePage(message, from, parts.pageSize);
  const to = recipients.at(-1)?.registrationId ?? watermark;
  const delivered = await sendPage(
    message,
    recipients.map((recipient) => ({ recipient, attempts: 0 })),
    parts,
  );
  await parts.store.checkpoint({ messageId: message.id, from, to, delivered }, parts.now());
  logTroubles(message, delivered, parts.log);
}

async function retryPage(message: Message, parts: WorkParts): Promise<void> {
  const due = await parts.store.dueRetries(message, parts.now(), parts.pageSize);
  if (due.length === 0) return;
  const attemptsOf = new Map(due.map((retry) => [retry.registrationId, retry.attempts]));
  const delivered = await sendPage(
    message,
    due.flatMap(({ recipient, attempts }) => (recipient === null ? [] : [{ recipient, attempts }])),
    parts,
  );
  const settled = [...delivered, ...due.flatMap(endedMeanwhile)].map((outcome) => ({
    attempts: attemptsOf.get(outcome.registrationId) ?? 0,
    delivered: outcome,
  }));
  await parts.store.settleRetries(message.id, settled, parts.now());
  logTroubles(message, delivered, parts.log);
}

function endedMeanwhile({ registrationId, recipient }: DueRetry): Delivered[] {
  if (recipient !== null) return [];
  return [
    { registrationId, generation: 0, kind: "failed", reason: "registration-ended", detail: "" },
  ];
}

/** One line for each reason on a page: a key that is refused is refused a thousand times. */
function logTroubles(message: Message, delivered: readonly Delivered[], log: Log): void {
  const troubles = delivered.filter((each) => each.kind !== "accepted" && each.kind !== "gone");
  for (const [reason, group] of Map.groupBy(troubles, (each) => each.reason)) {
    const fields = { messageId: message.id, reason, detail: group[0]?.detail };
    const level = group[0]?.kind === "retry" ? "info" : "warn";
    log[level]({ ...fields, registrations: group.length }, "not accepted");
  }
}
