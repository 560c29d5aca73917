import type { Log } from "../../../log.ts";
import type { Query } from "./between.ts";
import { startReader, type Reader } from "./start-reader.ts";

export type Readers = {
  /** Rows. Rejects with the errors of `node:sqlite`, and if the thread that reads ends meanwhile. */
  read(query: Query): Promise<unknown[]>;
  /** Lets what is read now end, rejects what waits, ends every thread. Repeatable. */
  close(): Promise<void>;
};

export type ReadersOptions = { log: Log };

/** While one is at a long query, the other one takes all that comes. */
const most = 2;

/** Waits for a thread. */
type Waiting = { resolve: (thread: Reader) => void; reject: (error: Error) => void };

/**
 * Threads that read, each with a connection of its own to the database at `path`. The first read starts one, a read that
 * finds it busy the other; each does one query at a time, and what is left waits in order.
 */
export function createReaders(path: string, { log }: ReadersOptions): Readers {
  const threads = new Set<Reader>();
  const idle = new Set<Reader>();
  const waiting: Waiting[] = [];
  let closing: Promise<unknown> | null = null;

  function start(): Reader {
    const thread = startReader({ path }, (error) => {
      threads.delete(thread);
      idle.delete(thread);
      if (error !== null) log.error({ err: error }, "a thread that reads the database has ended");
    });
    threads.add(thread);
    return thread;
  }

  async function take(): Promise<Reader> {
    if (closing !== null) throw isClosed();
    const [free] = idle;
    if (free !== undefined) {
      idle.delete(free);
      return free;
    }
    if (threads.size < most) return start();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  function giveBack(thread: Reader): void {
    // It may have ended with the query.
    const good = threads.has(thread);
    const next = waiting.shift();
    if (next !== undefined) next.resolve(good ? thread : start());
    else if (good) idle.add(thread);
  }

  return {
    async read(query) {
      const thread = await take();
      try {
        return await thread.read(query);
      } finally {
        giveBack(thread);
      }
    },
    async close() {
      for (const { reject } of waiting.splice(0)) reject(isClosed());
      closing ??= Promise.all([...threads].map((thread) => thread.close()));
      await closing;
    },
  };
}

function isClosed(): Error {
  return new Error("the database is closed");
}
