import type { Log } from "../log.ts";
import {
  MessageUnreadable,
  type Batch,
  type Delivered,
  type DeliveryStore,
  type DueRetry,
  type Message,
  type MessageStore,
} from "../store/port.ts";
import type { Turn } from "./page.ts";

export type WorkParts = {
  store: DeliveryStore;
  messages: Pick<MessageStore, "find">;
  owner: string;
  now: () => number;
  log: Log;
};

/** What one page of a batch has to send. */
export type Work = {
  message: Message;
  /** Those that were sent to before, and are due again. */
  retries: Turn[];
  /** Those that are due again, but are not in the audience any more, or whose message is not worth sending again. */
  notAgain: Retried[];
  /** The next ones of the range. */
  walk: Turn[];
  /** Where the cursor stands when they all have been sent to. */
  walkTo: number;
  /** When the message's TTL is over for these readers. */
  endsAtMs: number;
};

/** How much of a batch is read at once. */
export type Portion = {
  retries: number;
  /** So many retries at most while there is something left to walk. */
  retriesBesideWalk: number;
  /** Whether the first of them is the one that was tried most. */
  persists?: boolean;
  walk: number;
  /** So many at least, however many retries there are. */
  leastWalk: number;
};

export type Retried = { attempts: number; delivered: Delivered };

/**
 * Reads a page of a leased batch: retries that are due, and the next of its range.
 * @returns null for a message that nobody can read; the batch is given back, and the message is cancelled
 */
export async function readWork(
  batch: Batch,
  portion: Portion,
  { store, messages, owner, now, log }: WorkParts,
): Promise<Work | null> {
  try {
    const message = await messages.find(batch.projectId, batch.messageId);
    if (message === null) throw new Error(`the message ${batch.messageId} is not there`);
    const endsAtMs = batch.dueAtMs + message.ttlSeconds * 1000;
    const stillToWalk = batch.cursor < batch.lastId;
    const retries = stillToWalk ? portion.retriesBesideWalk : portion.retries;
    const compared = portion.persists ? Math.max(retries, mostCompared) : retries;
    const longestDue = await store.dueRetries(batch, message, now(), compared);
    const due = (portion.persists ? mostTriedFirst(longestDue) : longestDue).slice(0, retries);
    const room = Math.max(portion.walk - due.length, portion.leastWalk);
    const next = room > 0 && stillToWalk ? await store.batchPage(batch, message, room) : null;
    return {
      message,
      retries: due.flatMap((retry) => {
        const { recipient, attempts, firstTriedAtMs, changedAtMs } = retry;
        if (whyNotAgain(retry, now() >= endsAtMs) !== null || recipient === null) return [];
        return [{ recipient, attempts, firstTriedAtMs, triedAtMs: changedAtMs }];
      }),
      notAgain: due.flatMap((retry) => notAgain(retry, now() >= endsAtMs)),
      walk: (next ?? []).map((recipient) => {
        return { recipient, attempts: 0, firstTriedAtMs: null, triedAtMs: 0 };
      }),
      walkTo: next === null ? batch.cursor : lastOf(next, room, batch),
      endsAtMs,
    };
  } catch (error) {
    if (!(error instanceof MessageUnreadable)) throw error;
    await store.release({ id: batch.id, epoch: batch.epoch, owner });
    log.error(
      { err: error, messageId: error.messageId },
      "a message that cannot be read is cancelled",
    );
    await store.cancelUnreadable(error.messageId, now());
    return null;
  }
}

/** The one that was tried most is found among so many that have been due for the longest time. */
const mostCompared = 200;

/** A registration that was tried more often than this may be refused always. */
const mostInARow = 4;

function mostTriedFirst(due: readonly DueRetry[]): DueRetry[] {
  const [most] = due
    .filter(({ attempts }) => attempts <= mostInARow)
    .toSorted((one, other) => other.attempts - one.attempts);
  return most === undefined ? [...due] : [most, ...due.filter((retry) => retry !== most)];
}

/** A page that is not full is the last one of its range. */
function lastOf(page: readonly { registrationId: number }[], room: number, batch: Batch): number {
  return page.length < room ? batch.lastId : (page.at(-1)?.registrationId ?? batch.lastId);
}

/** @param over whether the message's TTL is: first attempts may come later than that, others not */
function whyNotAgain({ recipient, attempts }: DueRetry, over: boolean) {
  if (recipient === null) return "not-in-audience";
  return over && attempts > 0 ? "expired" : null;
}

function notAgain(retry: DueRetry, over: boolean): Retried[] {
  const reason = whyNotAgain(retry, over);
  if (reason === null) return [];
  const { registrationId, pushOrigin, attempts, recipient } = retry;
  const generation = recipient?.generation ?? 0;
  const delivered = { registrationId, generation, pushOrigin, reason, detail: "" };
  return [{ attempts, delivered: { ...delivered, kind: "failed" } }];
}
