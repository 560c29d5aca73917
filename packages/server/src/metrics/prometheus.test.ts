/** Prometheus itself, with the configuration and the alerts that the package holds, beside a running server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { patience } from "../test/patience.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startSineta } from "../test/process.ts";
import { alertNames, mustFind, promtool, rulesText, scrapeText } from "../test/promtool.ts";
import { runCommand } from "../test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
let undo: (() => Promise<unknown>)[];
beforeEach(() => {
  bench = testPlaces();
  undo = [];
});
afterEach(async () => {
  for (const end of undo.toReversed()) await end();
  rmSync(bench.folder, { recursive: true });
});

/** Puts the files where an administrator does, but below the test's folder. @returns the configuration's path */
function configure(port: string, key: string): string {
  const etc = join(bench.folder, "prometheus");
  mkdirSync(join(etc, "rules.d"), { recursive: true });
  writeFileSync(join(etc, "rules.d", "sineta.rules.yml"), rulesText);
  writeFileSync(join(etc, "sineta-api-key"), key);
  const adapted = scrapeText.replaceAll("/etc/prometheus/", `${etc}/`).replace(":8080", `:${port}`);
  const path = join(etc, "prometheus.yml");
  const often = "global: { scrape_interval: 1s, scrape_timeout: 1s }";
  writeFileSync(path, `${often}\n${adapted}`);
  return path;
}

/** Runs the server as for the internet: its metrics are not open. @returns its port */
async function serve(): Promise<string> {
  const environment = { SINETA_PORT: "0", SINETA_PUBLIC_URL: "https://avisos.example.com" };
  const server = startSineta(["serve"], { ...bench, environment });
  undo.push(async () => {
    server.kill("SIGKILL");
    await server.ended;
  });
  const [, url = ""] = await server.line(readyLine);
  return new URL(url).port;
}

/** @returns where its interface answers */
async function startPrometheus(configPath: string): Promise<string> {
  const child = spawn(
    mustFind("prometheus"),
    [
      `--config.file=${configPath}`,
      `--storage.tsdb.path=${join(bench.folder, "tsdb")}`,
      "--web.listen-address=127.0.0.1:0",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = once(child, "exit");
  undo.push(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const listening = /msg="Listening on" address=(\S+)/;
  await vi.waitUntil(() => listening.test(said), patience);
  return `http://${listening.exec(said)?.[1]}`;
}

const targetsSchema = z.object({
  data: z.object({
    activeTargets: z.tuple([z.object({ health: z.string(), lastError: z.string() })]),
  }),
});

/** Resolves once the last scrape of the server has ended so: `up`, or with this error. */
async function untilScraped(prometheus: string, wanted: string): Promise<void> {
  await vi.waitUntil(async () => {
    const answer = await fetch(`${prometheus}/api/v1/targets`);
    // It answers 503 until it has read its data.
    if (!answer.ok) return false;
    const read = targetsSchema.safeParse(await answer.json());
    if (!read.success) return false;
    const [{ health, lastError }] = read.data.data.activeTargets;
    return (lastError || health) === wanted;
  }, patience);
}

test("promtool finds no fault in the configuration", () => {
  const path = configure("8080", "key");
  const { status, text } = promtool("check", "config", "--lint=all", "--lint-fatal", path);
  const rulesPath = join(bench.folder, "prometheus", "rules.d", "sineta.rules.yml");
  expect(text).toBe(
    `Checking ${path}\n  SUCCESS: 1 rule files found\n SUCCESS: ${path} is valid prometheus config file syntax\n\n` +
      `Checking ${rulesPath}\n  SUCCESS: ${alertNames.length} rules found\n\n`,
  );
  expect(status).toBe(0);
});

test("Prometheus scrapes the server with a key for reading, and has every rule", async () => {
  const port = await serve();
  const { out } = await runCommand(["api-keys", "create", "prometheus", "--scopes", "read"], bench);
  const prometheus = await startPrometheus(configure(port, out));
  await untilScraped(prometheus, "up");
  const rules = await (await fetch(`${prometheus}/api/v1/rules?type=alert`)).json();
  const names = JSON.stringify(rules).match(/"name":"Sineta\w+"/g);
  expect(names).toEqual(alertNames.map((name) => `"name":"${name}"`));
});

test("with a key that the server does not know, Prometheus says that the server refuses it", async () => {
  const prometheus = await startPrometheus(configure(await serve(), "sineta_wrong"));
  const refused = "server returned HTTP status 401 Unauthorized";
  await expect(untilScraped(prometheus, refused)).resolves.toBeUndefined();
});
