import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPushLab } from "@sineta/push-lab";
import { enrolOwner, openConsole } from "../e2e/support/operator.ts";
import { startServer } from "../e2e/support/server.ts";
import { openVisitor, type Visitor } from "../e2e/support/visitor.ts";
import type { Bench } from "./bench.ts";
import { spreadOf } from "./rounds.ts";

const registrations = 1_000_000;
const messages = 1_000;
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

/**
 * Pages of the console, with a million registrations and a thousand messages behind them, in real Chromium. SINETA_SEEDED names a data folder
 * that `npm run seed` has filled, which takes minutes, and that has no operator yet.
 */
export const consoleBench: Bench = {
  name: `console: pages with ${registrations} registrations and ${messages} messages, from address to usable`,
  onlyLong: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "sineta-bench-"));
    const seeded = process.env["SINETA_SEEDED"];
    const data = seeded ?? join(folder, "data");
    const lab = await startPushLab();
    try {
      if (seeded === undefined) seed(data);
      const server = await startServer({ ...lab.serverEnvironment, SINETA_DATA: data });
      const visitors: Visitor[] = [];
      const visit = async (options = {}) => {
        const visitor = await openVisitor({ lab, url: server.url, ...options });
        visitors.push(visitor);
        return visitor;
      };
      const { page } = await openConsole({ server, visit }, await enrolOwner(server), "/");
      const ofOne = [
        `/avisos/${await firstOf(page, "messages", "id")}`,
        `/publico/${await firstOf(page, "registrations", "token")}`,
      ];
      let passed = true;
      for (const path of [...pages, ...ofOne]) {
        const times: number[] = [];
        let slowest = { name: "", duration: 0 };
        for (let round = 0; round < rounds; round += 1) {
          await page.goto(new URL(`/painel${path}`, server.url).href);
          const usable = await page.waitForFunction(isUsable);
          const { atMs, requests } = await usable.evaluate(readTimes);
          times.push(atMs);
          for (const each of requests) if (each.duration > slowest.duration) slowest = each;
        }
        const { median, most } = spreadOf(times);
        passed &&= median <= mostMs;
        const slow = `${slowest.name} ${Math.round(slowest.duration)} ms`;
        console.log(
          `${path.slice(0, 48).padEnd(48)} ${Math.round(median)} ms (at most ${Math.round(most)}); slowest request: ${slow}`,
        );
      }
      await Promise.all(visitors.map((visitor) => visitor.close()));
      await server.stop();
      return { passed };
    } finally {
      await lab.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function seed(dataFolder: string): void {
  const script = fileURLToPath(new URL("seed.ts", import.meta.url));
  const sizes = ["--registrations", String(registrations), "--messages", String(messages)];
  const { status } = spawnSync(process.execPath, [script, dataFolder, ...sizes], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the data folder could not be filled");
}

/** What a list of the API begins with, asked for from within the page, where its session is. */
async function firstOf(
  page: Visitor["page"],
  list: "messages" | "registrations",
  key: string,
): Promise<string> {
  return page.evaluate(
    async ([name, idOf]) => {
      const answer = await fetch(`/v1/projects/default/${name}?limit=1`);
      return String((await answer.json())[name ?? ""][0][idOf ?? ""]);
    },
    [list, key],
  );
}

/** Runs in the page: its title is there, and nothing that stands for something else any more. */
function isUsable(): boolean {
  return (
    document.querySelector("main h1") !== null &&
    document.querySelector(".mantine-Skeleton-root, .mantine-Loader-root") === null
  );
}

/** Runs in the page. Milliseconds since it was asked for, and what each request of the API took. */
function readTimes() {
  const requests = performance
    .getEntriesByType("resource")
    .filter(({ name }) => new URL(name).pathname.startsWith("/v1/"))
    .map(({ name, duration }) => ({ name: new URL(name).pathname, duration }));
  return { atMs: performance.now(), requests };
}
