import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Bench } from "./bench.ts";
import { broadcastEnvironment, startBroadcast } from "./broadcast/broadcast.ts";
import { startServerProcess } from "./broadcast/process.ts";
import { openBrowser } from "./console/open-browser.ts";
import { firstOf, openPage } from "./console/open-page.ts";
import { copySeeded, pushHostsOf } from "./console/seeded.ts";
import { spreadOf } from "./rounds.ts";
import { startSink } from "./send/sink.ts";
import { tableOf } from "./table.ts";

/** What a page of the console may take, from its address to being usable. */
const mostMs = 1_000;
const rounds = 5;

/** Behind `/painel`; the notice is the newest one, then the one that is being sent. */
const pagesOf = (noticeId: string) => [
  { name: "Início", path: "/" },
  { name: "Avisos", path: "/avisos" },
  { name: "the newest aviso, which is being sent", path: `/avisos/${noticeId}` },
  { name: "Inscritos", path: "/publico" },
];

type Times = Map<string, number[]>;

/**
 * The console's main pages in real Chromium, first quiet, then while a broadcast to all of a big audience goes out (console/seeded.ts)
 * to nginx, on the same machine.
 */
export const consoleSendingBench: Bench = {
  name: "console, while a broadcast to all goes out: pages from address to usable",
  onlyLong: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const data = join(folder, "data");
    const stops = [async () => rmSync(folder, { recursive: true, force: true })];
    try {
      console.log(copySeeded(data));
      const hosts = pushHostsOf(data);
      const sink = await startSink(hosts);
      stops.push(sink.close);
      const environment = broadcastEnvironment(sink, data, hosts);
      const server = await startServerProcess(environment);
      stops.push(server.stop);
      const { page, close } = await openBrowser(server);
      stops.push(close);
      const open = (noticeId: string) => openAll(page, server.url, noticeId);

      const quiet = await open(await firstOf(page, "messages", "id"));
      const sending = await startBroadcast(environment);
      const before = sending.progress().accepted;
      const startedMs = performance.now();
      const busy = await open(sending.id);
      const seconds = (performance.now() - startedMs) / 1000;
      const { accepted, seconds: ended } = sending.progress();
      if (ended !== null) {
        throw new Error("it ended before the last page was usable: it takes a larger audience");
      }
      const rate = ((accepted - before) / seconds).toFixed(0);
      console.log(`Meanwhile ${rate} pushes went out per second, for ${seconds.toFixed(0)} s.`);
      return { passed: print(quiet, busy) };
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  },
};

async function openAll(page: Page, site: string, noticeId: string): Promise<Times> {
  const times: Times = new Map();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, path } of pagesOf(noticeId)) {
      const { usableMs } = await openPage(page, site, path);
      times.set(name, [...(times.get(name) ?? []), usableMs]);
    }
  }
  return times;
}

function print(quiet: Times, busy: Times): boolean {
  let passed = true;
  const rows = [...busy].map(([name, times]) => {
    const { median, most } = spreadOf(times);
    const before = spreadOf(quiet.get(name) ?? []).median;
    passed &&= median <= mostMs;
    return [
      name,
      `${median.toFixed(0)} ms`,
      `${most.toFixed(0)} ms`,
      `${before.toFixed(0)} ms`,
      (median / before).toFixed(1),
    ];
  });
  const head = ["", `median of ${rounds}`, "slowest", "with nothing sent", "x"];
  console.log(tableOf([head, ...rows]));
  if (!passed) console.log(`FAILED: a median of at most ${mostMs} ms`);
  return passed;
}
