import { fileURLToPath } from "node:url";
import { startAskedProcess } from "../asked-process.ts";

/** What one request brings; they are sent in this order. */
export type Prepared = {
  headers: Record<string, string>;
  body: string;
  /** Below the address of the order; the address itself if not given. */
  path?: string;
};

export type LoadOrder = {
  /** Where all are posted to. */
  url: string;
  /** Opened before the clock starts, with one request at a time on each. */
  connections: number;
  /** Each request opens a connection of its own, of which there are so many at once, as visitors' browsers do: that counts. */
  connectionEach?: boolean;
  /** So many per second, each at its time, whatever the answers take; as fast as they come if not given. */
  perSecond?: number;
  expected: number;
  requests: Prepared[];
};

export type LoadReport = {
  perSecond: number;
  /** Milliseconds from when a request was due to the end of its answer. */
  p50: number;
  p99: number;
  /** Microseconds of CPU time that the load itself took for each request. */
  cpuUs: number;
};

export type Load = {
  /** One at a time. @throws if a request is answered with another status than expected, or not at all */
  readonly run: (order: LoadOrder) => Promise<LoadReport>;
  readonly stop: () => Promise<void>;
};

const child = fileURLToPath(new URL("load-child.ts", import.meta.url));

/** A process of its own that posts one load after another, so that its code is warm when the clock starts. */
export function startLoad(): Load {
  const { ask, end } = startAskedProcess<LoadOrder, LoadReport | Error>(child);
  return {
    async run(order) {
      const outcome = await ask(order);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    stop: () => end(),
  };
}
