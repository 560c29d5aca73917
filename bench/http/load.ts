import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What one request brings; they are sent in this order. */
export type Prepared = { headers: Record<string, string>; body: string };

export type Load = {
  /** Where all are posted to. */
  url: string;
  connections: number;
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
};

const child = fileURLToPath(new URL("load-child.ts", import.meta.url));

/** Posts requests from a process of its own. @throws if one is answered with another status than expected */
export async function load(order: Load): Promise<LoadReport> {
  const process_ = fork(child, [], { serialization: "advanced" });
  process_.send(order);
  const exited = once(process_, "exit");
  const report = await Promise.race([
    once(process_, "message").then(([message]: LoadReport[]) => message),
    exited.then(() => undefined),
  ]);
  await exited;
  if (report === undefined) throw new Error("the load ended without a report");
  return report;
}
