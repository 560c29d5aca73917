import { stat } from "node:fs";
import { availableParallelism } from "node:os";
import { getCACertificates } from "node:tls";
import type { Log } from "../../log.ts";
import type { Outcome } from "../../webpush/outcome.ts";
import type { SendPush } from "../page.ts";
import type { ThreadData } from "./between.ts";
import { startThread, type PushThread, type Withdrawal } from "./start-thread.ts";

export type PushThreads = {
  readonly send: SendPush;
  /**
   * Of what was handed in, and is of this message or to this registration, nothing begins once this has resolved: it has
   * the outcome `withdrawn` by then. What began before is under way, and ends with its own outcome.
   */
  readonly withdraw: (which: Withdrawal) => Promise<void>;
  /** Lets what is under way end for a few seconds, then ends every thread; nothing is sent from then on. Repeatable. */
  readonly close: () => Promise<void>;
};

export type PushThreadsOptions = Omit<ThreadData, "trusted"> & {
  log: Log;
  /** At most so many threads; one for each core if not given. */
  most?: number;
};

/** One thread that delivers does not keep more of them busy. */
const mostUseful = 8;
/** Pushes under way in each thread before there is another one. */
const pushesPerThread = 50;

/**
 * Sends on all cores: threads that seal and hold connections of their own, while the one that called goes on with
 * HTTP and the database. One is there from the start, the others come when there is much to send, and stay.
 */
export function startPushThreads({
  log,
  most = Math.min(availableParallelism(), mostUseful),
  ...data
}: PushThreadsOptions): PushThreads {
  const threads = new Set<PushThread>();
  let closing: Promise<unknown> | null = null;

  function start(): PushThread {
    const thread = startThread({ ...data, trusted: getCACertificates() }, (error) => {
      threads.delete(thread);
      if (error !== null)
        log.error(
          { err: error },
          "a thread that sends pushes has ended: what it sent is tried again",
        );
    });
    threads.add(thread);
    return thread;
  }

  /** The one with the least to do. */
  function pick(): PushThread {
    let least: PushThread | null = null;
    for (const thread of threads) {
      if (least === null || thread.underWay() < least.underWay()) least = thread;
    }
    if (least === null) return start();
    return least.underWay() >= pushesPerThread && threads.size < most ? start() : least;
  }

  // The threads that Node keeps for files and names are made by whoever needs them first, and inherit its priority.
  stat(".", () => undefined);
  start();
  return {
    send: (message, recipient, endsAtMs) => {
      if (closing !== null) return Promise.resolve(senderClosed);
      return pick().send(message, recipient, endsAtMs);
    },
    async withdraw(which) {
      await Promise.all([...threads].map((thread) => thread.withdraw(which)));
    },
    async close() {
      closing ??= Promise.all([...threads].map((thread) => thread.close()));
      await closing;
    },
  };
}

/** What comes of a push that no thread ever had. */
const senderClosed: Outcome = {
  kind: "retry",
  reason: "sender-closed",
  notBefore: null,
  detail: "",
};
