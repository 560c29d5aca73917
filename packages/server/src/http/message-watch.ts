import type { MessageProgress } from "@sineta/protocol";
import type { Log } from "../log.ts";
import type { Messages } from "../messages/messages.ts";
import { briefTarget } from "../messages/status.ts";
import type { ActiveProject } from "../projects/project.ts";
import type { Store } from "../store/port.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";

/** A status as it goes out; `ended`: none comes after it. */
export type StatusText = { text: string; ended: boolean };

/** What one reader gets of a message. */
export type Feed = {
  /**
   * The newest status that has not been taken yet, as soon as there is one: whoever reads slowly misses what was
   * between. Null: no more comes.
   */
  next(): Promise<StatusText | null>;
  /** Repeatable. */
  close(): void;
};

export type MessageWatch = {
  /**
   * Begins with the status as it is. Rejects if it cannot be read.
   * @param caller who reads, as they are counted
   * @returns `unknown`: the project has no such message. `too-many`: the caller reads as many as one may. `exhausted`: there are as many
   *   readers as there may be. `closed`: the server stops
   */
  open(
    project: ActiveProject,
    id: string,
    caller: string,
  ): Promise<Feed | "unknown" | "too-many" | "exhausted" | "closed">;
  /** Readers there are. */
  count(): number;
  /** Ends them all, and lets none in any more. Repeatable. */
  close(): void;
};

export type MessageWatchParts = {
  messages: Pick<Messages, "status">;
  store: {
    messages: Pick<Store["messages"], "find">;
    breakers: Pick<Store["breakers"], "list">;
  };
  /** Waits; at most until the signal. Does not reject. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  log: Log;
};

/** The description of the route and docs/operating.md tell both numbers. */
export const mostReaders = 100;
/**
 * Of one caller. A page of the console follows one message, a backend as many as it has just published; twenty streams
 * are left to the other callers, and a page that gets none asks every few seconds.
 */
export const mostReadersOfCaller = 80;
export const lookEveryMs = 500;

/** A message that somebody reads: looked at once for all its readers, and not at all without one. */
type Watched = {
  key: string;
  readers: Set<Mailbox<StatusText>>;
  newest: StatusText | null;
  /** What of the message was there at the last look, to see cheaply whether anything has changed. */
  seen: string;
  failure: unknown;
  /** Nobody reads it any more. */
  left: AbortController;
};

/** Tells readers what becomes of messages, by looking at the database. */
export function createMessageWatch(parts: MessageWatchParts): MessageWatch {
  const { messages, store, pause, log } = parts;
  const watchedByKey = new Map<string, Watched>();
  let readers = 0;
  const readersOfCallers = new Map<string, number>();
  let closed = false;

  /**
   * The message's row has every figure in it that may change, but for the breakers. (Why a push is to be tried again may
   * change without a figure; that goes out with the next one that does.)
   */
  async function fingerprint(project: ActiveProject, id: string): Promise<string | null> {
    const row = await store.messages.find(project.id, id);
    if (row === null) return null;
    const { state, startedAtMs, endedAtMs, watermark, plannedTo, plannedCount } = row;
    const plan = [state, startedAtMs, endedAtMs, watermark, plannedTo, plannedCount];
    return JSON.stringify([plan, row.counts, row.receipts, await store.breakers.list()]);
  }

  /** @returns whether there is anything to look at later */
  async function look(project: ActiveProject, id: string, watched: Watched): Promise<boolean> {
    const seen = await fingerprint(project, id);
    if (seen === null) return false;
    if (seen === watched.seen) return true;
    const status = await messages.status(project, id);
    if (status === null) return false;
    watched.seen = seen;
    const progress: MessageProgress = { ...status, target: briefTarget(status.target) };
    const text = JSON.stringify(progress);
    const ended = status.state === "done" || status.state === "cancelled";
    if (text !== watched.newest?.text) {
      watched.newest = { text, ended };
      for (const reader of watched.readers) reader.put(watched.newest);
    }
    return !ended;
  }

  async function watch(project: ActiveProject, id: string, watched: Watched): Promise<void> {
    try {
      while (!watched.left.signal.aborted && (await look(project, id, watched))) {
        await pause(lookEveryMs, watched.left.signal);
      }
    } catch (error) {
      watched.failure = error;
      // Before there is a status, whoever asked for it is told.
      if (watched.newest !== null) {
        log.error({ err: error, messageId: id }, "its event streams end, for it cannot be read");
      }
    }
    forget(watched);
    for (const reader of watched.readers) reader.end();
  }

  function forget(watched: Watched): void {
    if (watchedByKey.get(watched.key) === watched) watchedByKey.delete(watched.key);
  }

  function watchedOf(project: ActiveProject, id: string, reader: Mailbox<StatusText>): Watched {
    // Whoever knows another project's id must not read along.
    const key = `${project.id}:${id}`;
    const known = watchedByKey.get(key);
    if (known !== undefined) {
      known.readers.add(reader);
      if (known.newest !== null) reader.put(known.newest);
      return known;
    }
    const watched: Watched = {
      key,
      readers: new Set([reader]),
      newest: null,
      seen: "",
      failure: undefined,
      left: new AbortController(),
    };
    watchedByKey.set(key, watched);
    void watch(project, id, watched);
    return watched;
  }

  function count(caller: string, change: 1 | -1): void {
    readers += change;
    const own = (readersOfCallers.get(caller) ?? 0) + change;
    if (own === 0) readersOfCallers.delete(caller);
    else readersOfCallers.set(caller, own);
  }

  return {
    async open(project, id, caller) {
      if (closed) return "closed";
      if ((readersOfCallers.get(caller) ?? 0) >= mostReadersOfCaller) return "too-many";
      if (readers >= mostReaders) return "exhausted";
      count(caller, 1);
      const reader = createMailbox<StatusText>();
      const watched = watchedOf(project, id, reader);
      const feed = {
        next: () => reader.take(),
        close() {
          if (!watched.readers.delete(reader)) return;
          count(caller, -1);
          reader.end();
          if (watched.readers.size > 0) return;
          forget(watched);
          watched.left.abort();
        },
      };
      if (await reader.ready()) return feed;
      feed.close();
      if (watched.failure !== undefined) throw watched.failure;
      return closed ? "closed" : "unknown";
    },

    count: () => readers,

    close() {
      closed = true;
      for (const { left } of watchedByKey.values()) left.abort();
    },
  };
}
