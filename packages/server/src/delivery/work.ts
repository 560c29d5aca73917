import type { Delivered, DeliveryStore, DueRetry, Message } from "../store/port.ts";
import type { Log } from "../log.ts";
import { sendPage, type PageParts } from "./page.ts";
import { createSilence, type Silence } from "./silence.ts";
import { untilWritten, type WriteParts } from "./write.ts";

export type WorkParts = PageParts &
  WriteParts & {
    store: DeliveryStore;
    /** Registrations between two checkpoints: after a crash at most so many are sent to twice. */
    pageSize: number;
  };

/** What one turn of a message works with. */
type TurnParts = WorkParts & { silence: Silence; signal: AbortSignal };

/**
 * Gives the step of the delivery loop: one turn of one message, which is a page of its audience and the retries that
 * are due. Messages take turns, so that none waits for another one's long walk; a new one is next.
 * @returns a function that tells whether there was anything to do; its signal is aborted to stop
 */
export function createWork(parts: WorkParts): (signal: AbortSignal) => Promise<boolean> {
  const { store, now } = parts;
  /** Messages that are being sent, the one whose turn was longest ago first. */
  const worked = new Set<string>();

  return async (signal) => {
    const message = await store.nextDue(now(), [...worked]);
    if (message === null) return false;
    if (message.scheduledAtMs + message.ttlSeconds * 1000 <= now()) {
      if (await store.expire(message.id, now())) worked.delete(message.id);
    } else if (message.state === "scheduled") {
      await store.startSending(message.id, now());
    } else {
      worked.delete(message.id);
      worked.add(message.id);
      const turn = { ...parts, silence: createSilence(), signal };
      await walkPage(message, turn);
      await retryPage(message, turn);
      if (await store.finish(message.id, now())) worked.delete(message.id);
    }
    return true;
  };
}

async function walkPage(message: Message, turn: TurnParts): Promise<void> {
  const { cursor: from, watermark } = message;
  if (watermark === null || from >= watermark) return;
  const { store, now, pageSize, silence, signal, log } = turn;
  const recipients = await store.audiencePage(message, from, pageSize);
  const to = recipients.at(-1)?.registrationId ?? watermark;
  const turns = recipients.map((recipient) => ({ recipient, attempts: 0 }));
  const delivered = await sendPage(message, turns, silence, turn);
  const page = { messageId: message.id, from, to, delivered };
  await untilWritten(() => store.checkpoint(page, now()), turn, signal);
  logTroubles(message, delivered, log);
}

async function retryPage(message: Message, turn: TurnParts): Promise<void> {
  const { store, now, pageSize, silence, signal, log } = turn;
  if (signal.aborted) return;
  const due = await store.dueRetries(message, now(), pageSize);
  if (due.length === 0) return;
  const attemptsOf = new Map(due.map((retry) => [retry.registrationId, retry.attempts]));
  const turns = due.flatMap(({ recipient, attempts }) =>
    recipient === null ? [] : [{ recipient, attempts }],
  );
  const delivered = await sendPage(message, turns, silence, turn);
  const settled = [...delivered, ...due.flatMap(outOfAudience)].map((outcome) => ({
    attempts: attemptsOf.get(outcome.registrationId) ?? 0,
    delivered: outcome,
  }));
  await untilWritten(() => store.settleRetries(message.id, settled, now()), turn, signal);
  logTroubles(message, delivered, log);
}

function outOfAudience({ registrationId, recipient }: DueRetry): Delivered[] {
  if (recipient !== null) return [];
  return [{ registrationId, generation: 0, kind: "failed", reason: "not-in-audience", detail: "" }];
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
