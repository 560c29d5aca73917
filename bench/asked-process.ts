import { fork, type ForkOptions, type Serializable } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";

/** A child process that answers each order with one report. */
export type AskedProcess<Order, Report> = {
  /** Takes one order at a time. @throws Error if the process has ended, or ends before it reports */
  readonly ask: (order: Order) => Promise<Report>;
  /** Resolves when the process has ended. @param last an order to end; without one the process is killed */
  readonly end: (last?: Order) => Promise<void>;
};

export function startAskedProcess<Order extends Serializable, Report>(
  script: string,
  args: readonly string[] = [],
  options: ForkOptions = {},
): AskedProcess<Order, Report> {
  const child = fork(script, args, { serialization: "advanced", ...options });
  // Watched from the start: nobody hears of an end that came between two orders.
  const exited = once(child, "exit");
  return {
    async ask(order) {
      const settled = new AbortController();
      const { signal } = settled;
      const reported = once(child, "message", { signal }).then(([report]) => report);
      const ended = exited.then(([code, killedBy]) => {
        throw new Error(`${[basename(script), ...args].join(" ")} ended with ${code ?? killedBy}`);
      });
      // Where an order no longer arrives, the process has ended, or is about to.
      child.send(order, () => undefined);
      try {
        return await Promise.race([reported, ended]);
      } finally {
        settled.abort();
      }
    },
    async end(last) {
      if (last === undefined) child.kill();
      else if (child.connected) child.send(last, () => undefined);
      await exited;
    },
  };
}
