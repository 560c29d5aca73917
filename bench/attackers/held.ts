/**
 * A large host that is held beside another of the same vendor: how many pushes a second the healthy one takes. Real and
 * not real is what crowd.ts says.
 */
import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { endpointsAt } from "../../soak/support/seed.ts";
import { spreadOf } from "../rounds.ts";
import { tableOf } from "../table.ts";
import { startInternet } from "./internet-process.ts";
import { busyHost, originOf, vendorHost } from "./places.ts";
import { makeTemplate, mixed, startSite, type Template } from "./site.ts";
import { adoptCopy } from "../../packages/server/src/test/copied-data.ts";

export type HeldOptions = {
  /** At each of the two hosts. */
  readonly registrations: number;
  readonly rounds: number;
  /** How long one broadcast may take. */
  readonly mostSeconds: number;
  /** Of its rate alone, that the healthy host keeps beside the other. */
  readonly leastShare: number;
};

type Figures = {
  perSecond: number;
  accepted: number;
  /** The server's CPU time for each push that was accepted: a busy machine changes it less than the rate. */
  cpuUs: number;
  /** Requests that the busy host answered with 503. */
  refused: number;
  grownBytes: number;
  grownRows: number;
};

/** Rows and bytes are read when the message has just been sent to the healthy host, and the server has ended. */
const settleMs = 2_000;

/** @returns whether the bound holds */
export async function measureHeld(folder: string, options: HeldOptions): Promise<boolean> {
  const { registrations, rounds } = options;
  mkdirSync(join(folder, "templates"));
  const healthy = endpointsAt([originOf(vendorHost)], registrations);
  const busy = endpointsAt([originOf(busyHost)], registrations);
  const alone = await makeTemplate(join(folder, "templates", "alone"), healthy);
  const beside = await makeTemplate(join(folder, "templates", "beside"), mixed(healthy, busy));
  const measured: { alone: Figures[]; beside: Figures[] } = { alone: [], beside: [] };
  const run = async (which: "alone" | "beside", template: Template) => {
    const figures = await runOnce(template, folder, options);
    measured[which].push(figures);
    console.log(`${which}: ${told(figures)}`);
  };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) await run("alone", alone);
    await run("beside", beside);
    if (round % 2 === 1) await run("alone", alone);
  }
  return print(measured, options);
}

async function runOnce(
  template: Template,
  folder: string,
  { registrations, mostSeconds }: HeldOptions,
): Promise<Figures> {
  const caFile = join(folder, "ca.pem");
  const internet = await startInternet({ silentHosts: [], unknownMs: 0, caFile });
  const dataFolder = join(folder, "data");
  cpSync(template.folder, dataFolder, { recursive: true });
  adoptCopy(dataFolder);
  const site = await startSite(dataFolder, template.apiKey, caFile);
  try {
    await internet.count("measured");
    const cpuBefore = site.cpuSeconds();
    await site.publish("measured");
    const { hosts } = await internet.until(
      (report) => (report.hosts.get(vendorHost)?.accepted ?? 0) >= registrations,
      mostSeconds,
    );
    const cpuSeconds = site.cpuSeconds() - cpuBefore;
    await delay(settleMs);
    await site.stop();
    const { accepted = 0, firstMs = 0, lastMs = 0 } = hosts.get(vendorHost) ?? {};
    return {
      accepted,
      perSecond: (accepted * 1000) / (lastMs - firstMs),
      cpuUs: (cpuSeconds * 1e6) / accepted,
      refused: hosts.get(busyHost)?.refused ?? 0,
      grownBytes: bytesIn(dataFolder) - bytesIn(template.folder),
      grownRows: rowsIn(dataFolder) - rowsIn(template.folder),
    };
  } finally {
    await site.stop();
    await internet.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

/** In all tables, whichever there are. */
function rowsIn(folder: string): number {
  const database = new DatabaseSync(join(folder, "sineta.db"), { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return tables.reduce((sum, { name }) => {
      const row = database.prepare(`select count(*) as count from "${String(name)}"`).get();
      return sum + Number(row?.["count"]);
    }, 0);
  } finally {
    database.close();
  }
}

function told({ perSecond, accepted, cpuUs, refused, grownBytes, grownRows }: Figures): string {
  const grown = `${kilobytes(grownBytes)} and ${grownRows.toLocaleString("en")} rows`;
  return `${perSecond.toFixed(0)} a second, ${cpuUs.toFixed(0)} us of CPU each (${accepted} accepted, ${refused} refused), grown by ${grown}`;
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000).toLocaleString("en")} kB`;
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;

function print(
  { alone, beside }: { alone: readonly Figures[]; beside: readonly Figures[] },
  { registrations, rounds, leastShare, mostSeconds }: HeldOptions,
): boolean {
  // Each against the one next to it: what the machine does beside comes and goes.
  const shares = alone.map(
    (each, round) => (beside[round]?.perSecond ?? Number.NaN) / each.perSecond,
  );
  const share = spreadOf(shares);
  const rowOf = (name: string, figures: readonly Figures[], cells: readonly string[]) => {
    const median = (of: (each: Figures) => number) => spreadOf(figures.map(of)).median;
    return [
      name,
      median(({ perSecond }) => perSecond).toFixed(0),
      ...cells,
      `${median(({ cpuUs }) => cpuUs).toFixed(0)} us`,
      median(({ refused }) => refused).toLocaleString("en"),
      kilobytes(median(({ grownBytes }) => grownBytes)),
      median(({ grownRows }) => grownRows).toLocaleString("en"),
    ];
  };
  const head = [
    `${registrations.toLocaleString("en")} browsers, ${rounds === 1 ? "once" : `median of ${rounds}`}`,
    "per second",
    "of its rate alone",
    "lowest and highest",
    "CPU per push",
    "answers 503",
    "data folder grew by",
    "rows",
  ];
  const spread = `${percent(share.least)} to ${percent(share.most)}`;
  console.log(
    tableOf([
      head,
      rowOf("alone", alone, ["100 %", ""]),
      rowOf("beside as many at a host that answers 503", beside, [percent(share.median), spread]),
    ]),
  );
  const isWhole = [...alone, ...beside].every(({ accepted }) => accepted >= registrations);
  const isFast = share.median >= leastShare;
  if (!isWhole) console.log(`FAILED: not every browser was reached within ${mostSeconds} s`);
  if (!isFast) console.log(`FAILED: the healthy host keeps ${percent(leastShare)} of its rate`);
  return isWhole && isFast;
}
