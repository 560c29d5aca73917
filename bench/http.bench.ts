import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enrolOwner } from "../e2e/support/operator.ts";
import type { Bench } from "./bench.ts";
import {
  broadcast,
  broadcastEnvironment,
  pushHosts,
  startBroadcast,
} from "./broadcast/broadcast.ts";
import { fill } from "./broadcast/fill.ts";
import { startServerProcess } from "./broadcast/process.ts";
import { askConsole, queryReport, type QueryTimes } from "./http/console-queries.ts";
import { startFloor } from "./http/floor-process.ts";
import { startLoad, type LoadOrder, type LoadReport, type Prepared } from "./http/load.ts";
import { makeLooks, makeReceipts, makeRegistrations } from "./http/prepare.ts";
import { spreadOf } from "./rounds.ts";
import { startSink } from "./send/sink.ts";
import { tableOf } from "./table.ts";

const connections = 64;
/** Requests of each kind in one round. Many short rounds: a disk that stops for a tenth of a second spoils one of them. */
const count = 3_000;
const rounds = 11;
/** Each takes a whole broadcast. */
const besideRounds = 3;
/** How many a broadcast goes to, besides those who register meanwhile: it has to last longer than a load does. */
const audience = (rounds + 1) * count;
/** What a full run holds. */
const bounds = { registrations: 3_000, p99Ms: 50, receipts: 5_000, looksOverRegistrations: 2 };
const halfPerSecond = bounds.registrations / 2;
const dayMs = 24 * 60 * 60 * 1000;
const atHalf = { perSecond: halfPerSecond };
const each = { connectionEach: true };

type Figures = { perSecond: number | null; p50: number; p99: number; cpuUs?: number };
type Rows = Map<string, Figures[]>;

/**
 * How fast the server answers registrations, looks and receipts over HTTP. It answers a write when that is durable. Registrations are measured
 * alone, and while a broadcast goes out and an operator works in the console. The floor is the least server that writes durably, under the same load.
 */
export const httpBench: Bench = {
  name: `HTTP: registrations, looks and receipts, ${rounds} rounds of ${count} each over ${connections} connections`,
  onlyLong: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const data = join(folder, "data");
    const stops = [async () => rmSync(folder, { recursive: true, force: true })];
    const sink = await startSink(pushHosts);
    stops.push(sink.close);
    const environment = {
      ...broadcastEnvironment(sink, data),
      SINETA_REGISTRATIONS_PER_MINUTE: "1000000",
      SINETA_RECEIPTS_PER_MINUTE: "1000000",
    };
    try {
      await fill(data, audience, { seenAgoMs: 2 * dayMs });
      const server = await startServerProcess(environment);
      stops.push(server.stop);
      const floor = await startFloor(join(folder, "floor.db"));
      stops.push(floor.stop);
      const load = startLoad();
      stops.push(load.stop);
      const cookie = await enrolOwner(server);
      const project = `${server.url}v1/projects/default`;
      const registrations = `${project}/registrations`;
      const newBrowsers = await makeRegistrations(server.url);
      const { id } = await broadcast(server, environment, audience);
      const receipts = await makeReceipts(data, server.url, id);
      const looks = makeLooks(data, server.url).slice(0, audience);
      const rows: Rows = new Map();
      const keep = (name: string, figures: Figures) =>
        rows.set(name, [...(rows.get(name) ?? []), figures]);
      const post = (
        url: string,
        expected: number,
        requests: Prepared[],
        more: Pick<LoadOrder, "perSecond" | "connectionEach"> = {},
      ) => load.run({ url, connections, expected, requests, ...more });

      for (let round = 0; round <= rounds; round += 1) {
        const [from, to] = [round * count, (round + 1) * count];
        const lookOnce = () => post(registrations, 200, looks.slice(from, to));
        const reports: [string, LoadReport][] = [
          [names.floor, await post(floor.url, 201, floor.requests(count))],
          [names.registrations, await post(registrations, 201, newBrowsers(count))],
          [names.floorAtHalf, await post(floor.url, 201, floor.requests(count), atHalf)],
          [names.atHalf, await post(registrations, 201, newBrowsers(count), atHalf)],
          [names.floorEach, await post(floor.url, 201, floor.requests(count), each)],
          [names.each, await post(registrations, 201, newBrowsers(count), each)],
          [names.firstLooks, await lookOnce()],
          [names.looks, await lookOnce()],
          [names.receipts, await post(`${project}/receipts`, 204, receipts.slice(from, to))],
        ];
        const endMs = performance.now() + 1_000;
        const asked = await askConsole(server, cookie, () => performance.now() < endMs);
        // The first round meets code that nobody has run yet.
        if (round === 0) continue;
        for (const [name, report] of reports) keep(name, report);
        keepQueries(keep, asked, "");
      }
      for (let round = 0; round < besideRounds; round += 1) {
        const sending = await startBroadcast(environment);
        let isLoading = true;
        const loaded = post(registrations, 201, newBrowsers(count)).finally(() => {
          isLoading = false;
        });
        const [report, asked] = await Promise.all([
          loaded,
          askConsole(server, cookie, () => isLoading),
        ]);
        if (sending.progress().seconds !== null) {
          throw new Error("the broadcast ended before the registrations did: make it larger");
        }
        keep(names.beside, report);
        keepQueries(keep, asked, names.meanwhile);
        await cancel(`${project}/messages/${sending.id}/cancel`, cookie);
      }
      return { passed: print(rows) };
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  },
};

const names = {
  floor: "floor: node:http, one insert and one commit each",
  registrations: "registrations",
  floorAtHalf: `floor at ${halfPerSecond} per second`,
  atHalf: `registrations at ${halfPerSecond} per second`,
  floorEach: "floor, a connection each",
  each: "registrations, a connection each",
  firstLooks: "looks, each browser's first of the day",
  looks: "looks",
  receipts: "receipts",
  beside: "registrations, while a broadcast and the console's queries run",
  meanwhile: ", while a broadcast and registrations run",
};
/** Whose rate is given. */
const halves: ReadonlySet<string> = new Set([names.floorAtHalf, names.atHalf]);

/** What is left of it would take minutes. */
async function cancel(url: string, cookie: { name: string; value: string }): Promise<void> {
  const headers = {
    Cookie: `${cookie.name}=${cookie.value}`,
    Origin: new URL(url).origin,
    "Content-Type": "application/json",
  };
  const answer = await fetch(url, { method: "POST", headers, body: "{}" });
  if (!answer.ok) throw new Error(await answer.text());
}

function keepQueries(
  keep: (name: string, figures: Figures) => unknown,
  asked: QueryTimes,
  meanwhile: string,
): void {
  for (const [name, times] of asked) {
    keep(`${name}${meanwhile}`, { perSecond: null, ...queryReport(times) });
  }
}

function print(rows: Rows): boolean {
  const median = (name: string, key: keyof Figures) =>
    spreadOf((rows.get(name) ?? []).map((figures) => figures[key] ?? Number.NaN)).median;
  const floor = median(names.floor, "perSecond");
  const cells = [...rows.keys()].map((name) => {
    const perSecond = median(name, "perSecond");
    const isRate = !Number.isNaN(perSecond) && !halves.has(name);
    return [
      name,
      Number.isNaN(perSecond) ? "" : perSecond.toFixed(0),
      isRate ? (perSecond / floor).toFixed(2) : "",
      `${median(name, "p50").toFixed(1)} ms`,
      `${median(name, "p99").toFixed(1)} ms`,
    ];
  });
  console.log(tableOf([["", "per second", "x floor", "p50", "p99"], ...cells]));
  console.log(
    `Medians of ${rounds} rounds that take turns; while a broadcast runs, of ${besideRounds}. The console's queries are asked one after the other, without a pause.`,
  );
  const loadUs = [names.floor, names.registrations, names.looks, names.receipts, names.beside].map(
    (name) => median(name, "cpuUs"),
  );
  const { least, most } = spreadOf(loadUs);
  console.log(
    `The load itself took ${least.toFixed(0)} to ${most.toFixed(0)} us of CPU per request, at ${halfPerSecond} per second ${median(names.atHalf, "cpuUs").toFixed(0)} us.`,
  );
  const registrationsPerSecond = median(names.registrations, "perSecond");
  const passed =
    registrationsPerSecond >= bounds.registrations &&
    median(names.atHalf, "p99") <= bounds.p99Ms &&
    median(names.receipts, "perSecond") >= bounds.receipts &&
    median(names.looks, "perSecond") >= bounds.looksOverRegistrations * registrationsPerSecond;
  if (!passed) console.log(`FAILED: ${JSON.stringify(bounds)}`);
  return passed;
}
