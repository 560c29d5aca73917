import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { startServerProcess } from "./broadcast/process.ts";
import { openBrowser } from "./console/open-browser.ts";
import { firstOf, openPage, type Opened } from "./console/open-page.ts";
import { copySeeded } from "./console/seeded.ts";
import { spreadOf } from "./rounds.ts";
import { tableOf } from "./table.ts";

/** What a page of the console may take, from its address to being usable. */
const mostMs = 1_000;
const rounds = 5;

/** Behind `/painel`. */
const pages = [
  "/",
  "/avisos",
  "/avisos/novo",
  "/avisos?busca=bolo&situacao=done",
  "/publico",
  "/publico?browser=firefox&language=de",
  "/publico/topicos",
  "/instalar",
  "/ajustes/projeto",
  "/ajustes/chaves-de-api",
  "/ajustes/operadores",
  "/ajustes/conta",
  "/ajustes/auditoria",
];

/** Pages of the console, with a million registrations and a thousand messages behind them, in real Chromium (console/seeded.ts). */
export const consoleBench: Bench = {
  name: "console: pages with a million registrations behind them, from address to usable",
  onlyLong: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const data = join(folder, "data");
    const stops = [async () => rmSync(folder, { recursive: true, force: true })];
    try {
      console.log(copySeeded(data));
      const server = await startServerProcess({
        ...process.env,
        SINETA_DATA: data,
        SINETA_PORT: "0",
        SINETA_LOG_LEVEL: "warn",
      });
      stops.push(server.stop);
      const { page, close } = await openBrowser(server);
      stops.push(close);
      const ofOne = [
        `/avisos/${await firstOf(page, "messages", "id")}`,
        `/publico/${await firstOf(page, "registrations", "token")}`,
      ];
      const opened = new Map<string, Opened[]>([...pages, ...ofOne].map((path) => [path, []]));
      for (let round = 0; round < rounds; round += 1) {
        for (const [path, times] of opened) times.push(await openPage(page, server.url, path));
      }
      return { passed: print(opened) };
    } finally {
      for (const stop of stops.toReversed()) await stop();
    }
  },
};

function print(opened: ReadonlyMap<string, readonly Opened[]>): boolean {
  let passed = true;
  const rows = [...opened].map(([path, times]) => {
    const { median, most } = spreadOf(times.map(({ usableMs }) => usableMs));
    passed &&= median <= mostMs;
    const [slowest] = times.map((each) => each.slowest).toSorted((one, other) => other.ms - one.ms);
    return [
      path.slice(0, 48),
      `${median.toFixed(0)} ms`,
      `${most.toFixed(0)} ms`,
      `${slowest?.name.slice(0, 60)} ${slowest?.ms.toFixed(0)} ms`,
    ];
  });
  const head = ["behind /painel", `median of ${rounds}`, "slowest", "slowest request of the API"];
  console.log(tableOf([head, ...rows]));
  if (!passed) console.log(`FAILED: a median of at most ${mostMs} ms`);
  return passed;
}
