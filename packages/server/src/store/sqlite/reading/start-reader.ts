import { Worker } from "node:worker_threads";
import type { Answer, Query, ReaderData, ToReader } from "./between.ts";

/** A reader thread, as the one that has HTTP sees it. */
export type Reader = {
  /** Rows, or the error of `node:sqlite`; another one if the thread ends meanwhile. One query at a time. */
  read(query: Query): Promise<unknown[]>;
  /** Ends it, after the query that is under way. Repeatable. */
  close(): Promise<void>;
};

/** Beside this file: as it is in a checkout, or as it was built. */
const script = new URL(
  import.meta.url.endsWith(".ts") ? "./reader-thread.ts" : "./reader-thread.js",
  import.meta.url,
);

/** One answer at a time is all that a thread holds, and answers are pages: the longest has some twenty megabytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** @param onEnd called once, with why it ended if nobody had asked it to */
export function startReader(data: ReaderData, onEnd: (error: Error | null) => void): Reader {
  const worker = new Worker(script, { workerData: data, resourceLimits });
  let reading: { resolve(rows: unknown[]): void; reject(error: unknown): void } | null = null;
  let failure: Error | null = null;
  let closing = false;

  const tell = (message: ToReader) => worker.postMessage(message);

  worker.on("message", (answer: Answer) => {
    const asked = reading;
    reading = null;
    if ("rows" in answer) asked?.resolve(answer.rows);
    else asked?.reject(Object.assign(asError(answer.error), answer.fields));
  });
  worker.on("error", (error: Error) => {
    failure = error;
  });
  const exited = new Promise<void>((resolve) => {
    worker.once("exit", () => {
      const cause = failure ?? new Error("it ended by itself");
      onEnd(closing ? failure : cause);
      reading?.reject(
        new Error("the thread that read has ended, so there is no answer", { cause }),
      );
      resolve();
    });
  });

  return {
    read: (query) =>
      new Promise((resolve, reject) => {
        reading = { resolve, reject };
        tell({ kind: "read", query });
      }),
    close() {
      if (!closing) tell({ kind: "close" });
      closing = true;
      return exited;
    },
  };
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}
