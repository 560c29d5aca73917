/**
 * Attackers' hosts beside honest browsers: how long a message to everybody takes to reach the last honest browser, and
 * how long `/healthz` takes meanwhile.
 *
 * Real: the built server with its default settings, the system's resolver (getaddrinfo, on the few threads that Node keeps
 * for it), questions to a name server, TLS, HTTP/2, deadlines and retries. An earlier message with a TTL of 28 days has met
 * the attackers' hosts and is still open. Each run starts a server on a copy of that data folder, so connections to honest
 * push services are opened anew, as they are when broadcasts are hours apart.
 *
 * Not real: the network has no latency. A made-up name costs `unknownMs` each time: a resolver that has to ask the vendor's
 * name servers takes so long. A resolver that remembers missing names is faster the second time; one that is overloaded is
 * slower. Honest names are answered at once, as from a resolver's memory. All push services are one process, and attackers
 * register straight into the data folder.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endpointsAt } from "../../soak/support/seed.ts";
import { spreadOf } from "../rounds.ts";
import { tableOf } from "../table.ts";
import { quantileOf, watchHealth } from "./health.ts";
import { startInternet, type InternetReport } from "./internet-process.ts";
import { honestHosts, madeUpHosts, monotonicMs, originOf, vendorHost } from "./places.ts";
import { makeTemplate, mixed, startSite, type Template } from "./site.ts";
import { adoptCopy } from "../../packages/server/src/test/copied-data.ts";

export type CrowdsOptions = {
  readonly kind: "dead" | "silent";
  /** Attackers' hosts, each with one registration; each size is measured on its own. */
  readonly sizes: readonly number[];
  readonly honest: number;
  readonly rounds: number;
  /** How long the answer takes that a name does not exist. */
  readonly unknownMs: number;
  /** How long the earlier message may take to meet so many attackers, and the measured one to reach every honest browser. */
  readonly mostSeconds: {
    readonly earlier: (attackers: number) => number;
    readonly measured: number;
  };
  /** Between the start of a server and the measured message: the server takes up what the earlier one has left. */
  readonly settleSeconds: number;
  /** For so long `/healthz` is asked for on after the last honest push. */
  readonly afterSeconds: number;
  /** Times the figure without attackers. */
  readonly bound: number;
  /** Figures below these are within the bound, whatever they are without attackers. */
  readonly always: { readonly lastMs: number; readonly p99Ms: number };
};

/** Milliseconds; since publishing, or Infinity for what did not come in time. */
type Figures = {
  firstMs: number;
  lastMs: number;
  /** The last push to the honest host of the attackers' vendor. */
  vendorMs: number;
  p50Ms: number;
  p99Ms: number;
  /** Honest browsers that were reached in time. */
  reached: number;
  logLines: number;
};

type Crowd = { readonly size: number; readonly hosts: string[]; readonly template: Template };

/** @returns whether every bound holds */
export async function measureCrowds(folder: string, options: CrowdsOptions): Promise<boolean> {
  const { kind, sizes, honest, rounds } = options;
  const crowds: Crowd[] = [];
  for (const size of [0, ...sizes]) crowds.push(await prepare(size, folder, options));
  const measured = new Map<number, Figures[]>(crowds.map(({ size }) => [size, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Sometimes the one is first and sometimes the other: what the machine does beside comes and goes.
    for (const crowd of round % 2 === 0 ? crowds : crowds.toReversed()) {
      const figures = await measure(crowd, folder, options);
      measured.get(crowd.size)?.push(figures);
      console.log(`round ${round + 1}, ${nameOf(crowd.size, kind)}: ${told(figures, honest)}`);
    }
  }
  return print(measured, options);
}

/** A data folder in which an earlier message has met every attacker, as far as it came in time. */
async function prepare(size: number, folder: string, options: CrowdsOptions): Promise<Crowd> {
  const { kind, honest } = options;
  const hosts = madeUpHosts(size);
  const endpoints = mixed(
    endpointsAt(honestHosts.map(originOf), honest),
    endpointsAt(hosts.map(originOf), size),
  );
  const template = await makeTemplate(join(folder, `${kind}-${size}`), endpoints);
  const { internet, site, stop } = await startWorld(
    { size, hosts, template },
    template.folder,
    folder,
    options,
  );
  try {
    await internet.count("earlier");
    await site.publish("earlier");
    const isMet = (report: InternetReport) => report.met >= size && reachedOf(report) >= honest;
    const report = await internet.until(isMet, options.mostSeconds.earlier(size));
    const all = honest.toLocaleString("en");
    console.log(
      `${nameOf(size, kind)}: the earlier message has met ${report.met} attackers and reached ${reachedOf(report)} of ${all}`,
    );
  } finally {
    await stop();
  }
  return { size, hosts, template };
}

async function measure(crowd: Crowd, folder: string, options: CrowdsOptions): Promise<Figures> {
  const { honest, mostSeconds, settleSeconds, afterSeconds } = options;
  const dataFolder = join(folder, "data");
  cpSync(crowd.template.folder, dataFolder, { recursive: true });
  adoptCopy(dataFolder);
  const { internet, site, stop } = await startWorld(crowd, dataFolder, folder, options);
  try {
    await delay(settleSeconds * 1000);
    await internet.count("measured");
    const startMs = monotonicMs();
    const health = watchHealth(site.url);
    await site.publish("measured");
    const isServed = (report: InternetReport) => reachedOf(report) >= honest;
    const report = await internet.until(isServed, mostSeconds.measured);
    await delay(afterSeconds * 1000);
    const took = await health.stop();
    return {
      ...timesOf(report, startMs, honest),
      p50Ms: quantileOf(took, 0.5),
      p99Ms: quantileOf(took, 0.99),
      logLines: site.logLines(),
    };
  } finally {
    await stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function startWorld(
  { hosts, template }: Crowd,
  dataFolder: string,
  folder: string,
  { kind, unknownMs }: CrowdsOptions,
) {
  const caFile = join(folder, "ca.pem");
  const silentHosts = kind === "silent" ? hosts : [];
  const internet = await startInternet({ silentHosts, unknownMs, caFile });
  const site = await startSite(dataFolder, template.apiKey, caFile);
  const stop = async () => {
    await site.stop();
    await internet.stop();
  };
  return { internet, site, stop };
}

function reachedOf({ hosts }: InternetReport): number {
  return honestHosts.reduce((sum, host) => sum + (hosts.get(host)?.accepted ?? 0), 0);
}

function timesOf(report: InternetReport, startMs: number, honest: number) {
  const reached = reachedOf(report);
  const of = (hosts: readonly string[]) => hosts.flatMap((host) => report.hosts.get(host) ?? []);
  const last = (hosts: readonly string[]) =>
    Math.max(...of(hosts).map(({ lastMs }) => lastMs)) - startMs;
  const atVendor = report.hosts.get(vendorHost)?.accepted ?? 0;
  const there = Math.floor(honest / honestHosts.length);
  return {
    reached,
    firstMs: Math.min(...of(honestHosts).map(({ firstMs }) => firstMs)) - startMs,
    lastMs: reached < honest ? Infinity : last(honestHosts),
    vendorMs: atVendor < there ? Infinity : last([vendorHost]),
  };
}

function nameOf(size: number, kind: CrowdsOptions["kind"]): string {
  if (size === 0) return "without attackers";
  return `${size.toLocaleString("en")} ${kind === "dead" ? "dead names" : "silent hosts"}`;
}

function told(figures: Figures, honest: number): string {
  const { firstMs, lastMs, vendorMs, p50Ms, p99Ms, reached, logLines } = figures;
  const whole = [firstMs, lastMs, vendorMs].map((ms) =>
    Number.isFinite(ms) ? ms.toFixed(0) : "-",
  );
  return (
    `first ${whole[0]}, last ${whole[1]}, last at the vendor ${whole[2]} ms (${reached} of ${honest}); ` +
    `/healthz p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms; ${logLines} lines logged`
  );
}

function print(
  measured: ReadonlyMap<number, readonly Figures[]>,
  { kind, honest, rounds, bound, always, mostSeconds }: CrowdsOptions,
): boolean {
  const median = (size: number, of: (figures: Figures) => number) =>
    spreadOf((measured.get(size) ?? []).map(of)).median;
  const shown = (ms: number) =>
    Number.isFinite(ms) ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `over ${mostSeconds.measured} s`;
  const failures: string[] = [];
  const rows = [...measured.keys()].map((size) => {
    const ratioOf = (of: (figures: Figures) => number, what: string, alwaysMs: number) => {
      const [ms, alone] = [median(size, of), median(0, of)];
      if (size > 0 && ms > alwaysMs && !(ms <= bound * alone)) {
        failures.push(`${nameOf(size, kind)}: ${what} is more than ${bound} times as late`);
      }
      if (size === 0) return "1";
      return Number.isFinite(ms) ? (ms / alone).toFixed(1) : "-";
    };
    return [
      nameOf(size, kind),
      shown(median(size, ({ firstMs }) => firstMs)),
      shown(median(size, ({ vendorMs }) => vendorMs)),
      shown(median(size, ({ lastMs }) => lastMs)),
      ratioOf(({ lastMs }) => lastMs, "the last honest push", always.lastMs),
      shown(median(size, ({ p50Ms }) => p50Ms)),
      shown(median(size, ({ p99Ms }) => p99Ms)),
      ratioOf(({ p99Ms }) => p99Ms, "the p99 of /healthz", always.p99Ms),
    ];
  });
  const head = [
    `${honest.toLocaleString("en")} honest browsers, ${rounds === 1 ? "once" : `median of ${rounds}`}`,
    "first push",
    "last at the vendor",
    "last push",
    "x alone",
    "/healthz p50",
    "p99",
    "x alone",
  ];
  console.log(tableOf([head, ...rows]));
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  return failures.length === 0;
}
