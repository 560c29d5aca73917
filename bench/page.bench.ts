import { chromium } from "@playwright/test";
import { findChromium } from "../scripts/browsers.mjs";
import type { Bench } from "./bench.ts";
import { loadPage, type Connection, type Loaded } from "./page/load-page.ts";
import { servePage, type ServedPage } from "./page/serve-page.ts";
import { spreadOf } from "./rounds.ts";
import { tableOf } from "./table.ts";

const rounds = 7;
/** What Lighthouse calls slow 4G. */
const phone: Connection = { latencyMs: 150, kilobitsPerSecond: 1_600 };
/** Scripts and styles of the site that the server brings, over the wire. */
const mostSiteBytes = 100_000;

const pages = [
  { name: "floor: React and a plain button, no bell", page: "bare" },
  { name: "the same with Sineta's bell", page: "bell" },
  { name: "the same with that bell on Firebase", page: "firebase" },
  { name: "the site that the server brings", page: null },
] as const;
const siteName = pages[3].name;

type Row = { name: string; served: ServedPage; near: Loaded[]; far: Loaded[] };

/** What a visitor waits for who comes for the first time: real Chromium with an empty cache, the real server, no permission yet. */
export const pageBench: Bench = {
  name: `page: from the address to a bell that can be clicked, and bytes on the wire, ${rounds} rounds`,
  onlyLong: true,
  async run() {
    const rows: Row[] = [];
    const browser = await chromium.launch({
      executablePath: findChromium() ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    try {
      for (const { name, page } of pages) {
        rows.push({ name, served: await servePage(page), near: [], far: [] });
      }
      for (let round = 0; round <= rounds; round += 1) {
        for (const { served, near, far } of rows) {
          const [fast, slow] = [
            await loadPage(browser, served.url, null),
            await loadPage(browser, served.url, phone),
          ];
          // The first one meets a browser and servers that have only just started.
          if (round === 0) continue;
          near.push(fast);
          far.push(slow);
        }
      }
      return { passed: print(rows) };
    } finally {
      await browser.close();
      await Promise.all(rows.map(({ served }) => served.stop()));
    }
  },
};

function print(rows: readonly Row[]): boolean {
  const floor = rows[0] ?? fail("nothing was measured");
  const cells = rows.map(({ name, near, far }) => {
    const kilobytes = (...kinds: string[]) => (bytesOf(near, kinds) / 1000).toFixed(1);
    return [
      name,
      kilobytes("Document"),
      kilobytes("Script"),
      kilobytes("Stylesheet"),
      (bytesOf(near) / 1000).toFixed(1),
      timeOf(near),
      beyond(near, floor.near),
      timeOf(far),
      beyond(far, floor.far),
    ];
  });
  const head = [
    "",
    "page, kB",
    "scripts, kB",
    "styles, kB",
    "all, kB",
    "button",
    "beyond floor",
    "button, slow 4G",
    "beyond floor",
  ];
  console.log(tableOf([head, ...cells]));
  console.log(`Medians. Bytes with headers, gzip, an empty cache each time. Slow 4G as Chromium plays it: ${phone.latencyMs} ms and ${phone.kilobitsPerSecond / 1000} Mbit/s.
Nobody has allowed notifications yet, so no worker is loaded and no push service asked, and Firebase asks no server of its own.`);
  const site = rows.find(({ name }) => name === siteName) ?? fail("the site was not measured");
  const passed = bytesOf(site.near, ["Script", "Stylesheet"]) <= mostSiteBytes;
  if (!passed)
    console.log(`FAILED: scripts and styles of the site take at most ${mostSiteBytes} bytes`);
  return passed;
}

/** The median of all loads. @param kinds all of them if not given */
function bytesOf(loads: readonly Loaded[], kinds?: readonly string[]): number {
  const sums = loads.map(({ bytes }) => {
    const chosen = [...bytes].filter(([kind]) => kinds?.includes(kind) ?? true);
    return chosen.reduce((sum, [, count]) => sum + count, 0);
  });
  return spreadOf(sums).median;
}

function timeOf(loads: readonly Loaded[]): string {
  return `${spreadOf(loads.map(({ buttonMs }) => buttonMs)).median.toFixed(0)} ms`;
}

/** Round by round. */
function beyond(loads: readonly Loaded[], floor: readonly Loaded[]): string {
  const more = loads.map(
    ({ buttonMs }, round) => buttonMs - (floor[round]?.buttonMs ?? Number.NaN),
  );
  return loads === floor ? "" : `${spreadOf(more).median.toFixed(0)} ms`;
}

function fail(message: string): never {
  throw new Error(message);
}
