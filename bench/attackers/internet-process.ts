import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startAskedProcess } from "../asked-process.ts";
import { monotonicMs } from "./places.ts";

const script = fileURLToPath(new URL("internet.ts", import.meta.url));
const lookMs = 20;

export type InternetTask = {
  /** Hosts with an address that never answers: in turns one that accepts TCP alone, and one that accepts TLS and HTTP/2. */
  readonly silentHosts: readonly string[];
  /** How long the answer takes that a name does not exist. */
  readonly unknownMs: number;
  /** Where the certificate to trust is written. */
  readonly caFile: string;
};

export type InternetOrder =
  | { readonly kind: "start"; readonly task: InternetTask }
  | { readonly kind: "count"; readonly topic: string }
  | { readonly kind: "report" };

/** What came of the message that is counted at one host. Times are by `monotonicMs`. */
export type HostReport = {
  /** Browsers that were reached, each once. */
  readonly accepted: number;
  readonly refused: number;
  readonly firstMs: number;
  readonly lastMs: number;
};

export type InternetReport = {
  readonly hosts: ReadonlyMap<string, HostReport>;
  /** Attackers' names that were asked for since the start. */
  readonly met: number;
};

export type Internet = {
  /** Counts from zero the pushes of the message with this topic, and no others. */
  readonly count: (topic: string) => Promise<InternetReport>;
  /** The first report that fits, or the latest one when so much time is over. */
  readonly until: (
    fits: (report: InternetReport) => boolean,
    mostSeconds: number,
  ) => Promise<InternetReport>;
  readonly stop: () => Promise<void>;
};

/** All that the server talks to, as a process of its own in the same network. */
export async function startInternet(task: InternetTask): Promise<Internet> {
  const { ask, end } = startAskedProcess<InternetOrder, InternetReport>(script);
  await ask({ kind: "start", task });
  return {
    count: (topic) => ask({ kind: "count", topic }),
    async until(fits, mostSeconds) {
      const endMs = monotonicMs() + mostSeconds * 1000;
      for (;;) {
        const report = await ask({ kind: "report" });
        if (fits(report) || monotonicMs() > endMs) return report;
        await delay(lookMs);
      }
    },
    stop: () => end(),
  };
}
