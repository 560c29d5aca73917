import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { isServing } from "./serve-lock.ts";
import { startServer, type RunningServer } from "./server.ts";
import { openSqliteStore } from "./store/sqlite/open.ts";
import { acceptedOutcome, fakePush, type FakePush } from "./test/fake-push.ts";
import { siteClient, untilRefused } from "./test/http-client.ts";
import { testPlaces } from "./test/places.ts";
import { startSineta } from "./test/process.ts";

let bench: ReturnType<typeof testPlaces>;
let push: FakePush;
let server: RunningServer;
beforeEach(async () => {
  bench = testPlaces();
  push = fakePush();
  server = await start();
});
afterEach(async () => {
  await server.stop();
  rmSync(bench.folder, { recursive: true });
});

function start(
  environment: Record<string, string> = {},
  log = createLog("silent", { write: () => undefined }),
): Promise<RunningServer> {
  const { config } = readConfig({
    flags: {},
    environment: { SINETA_PORT: "0", ...environment },
    folder: bench.folder,
  });
  return startServer(config, { log, places: bench.places, sendPush: push.send });
}

function send(words: string[]) {
  const { places, folder } = bench;
  return startSineta(["send", "--title", "Olá", "--body", "x", ...words], { places, folder }).ended;
}

describe("startServer", () => {
  test("delivers what `sineta send` publishes in another process", async () => {
    const client = await siteClient(server.url);
    const { token } = await client.register();
    await client.register();
    const all = await send([]);
    expect(all.stdout).toMatch(/^\S+: 2 accepted, 0 gone, 0 retry, 0 rejected, 0 failed\n$/);
    const one = await send(["--to", token]);
    expect(one.stdout).toMatch(/^\S+: 1 accepted,/);
    expect(push.sent).toHaveLength(3);
  });

  test("answers over HTTP that a message without a time is being sent", async () => {
    const { places, folder } = bench;
    const made = await startSineta(["api-keys", "create", "shop"], { places, folder }).ended;
    const response = await fetch(new URL("/v1/projects/default/messages", server.url), {
      method: "POST",
      headers: {
        Authorization: `Bearer ${made.stdout.trim()}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ target: { kind: "all" }, notification: { title: "Olá" } }),
    });
    expect(await response.json()).toMatchObject({ state: "sending" });
  });

  test("is not ready once its database is damaged, and the log says seldom what to do", async () => {
    await server.stop();
    const written: string[] = [];
    server = await start({}, createLog("error", { write: (line) => written.push(line) }));
    const readyz = async () => (await fetch(new URL("/readyz", server.url))).status;
    expect(await readyz()).toBe(200);
    const database = new DatabaseSync(join(bench.dataFolder, "sineta.db"));
    database.exec("alter table messages rename to lost");
    await expect.poll(readyz, { timeout: 10_000 }).toBe(503);
    expect(written[0]).toContain("The database is damaged: stop Sineta");
    expect(written.length).toBeLessThan(10);
    database.exec("alter table lost rename to messages");
    database.close();
    await expect.poll(readyz, { timeout: 30_000 }).toBe(200);
  });

  test("a stop waits for the page in flight and writes it down; it is repeatable", async () => {
    const { token } = await (await siteClient(server.url)).register();
    const sending = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    push.answer = async () => {
      sending.resolve();
      await answered.promise;
      return acceptedOutcome;
    };
    const { stdout } = await send(["--to", token, "--no-wait"]);
    await sending.promise;
    const stopping = Promise.all([server.stop(), server.stop()]);
    await untilRefused(server.url);
    expect(isServing(bench.dataFolder)).toBe(true);
    answered.resolve();
    await stopping;
    expect(isServing(bench.dataFolder)).toBe(false);

    const store = await openSqliteStore(join(bench.dataFolder, "sineta.db"), 0);
    const { id } = await store.projects.ensure("default", 0);
    const message = await store.messages.find(id, stdout.split(" ")[0] ?? "");
    expect(message).toMatchObject({ counts: { accepted: 1 } });
    await store.close();
  });

  test("what was started is stopped again if a later part fails", async () => {
    const other = join(bench.folder, "other");
    const port = String(server.port);
    await expect(start({ SINETA_DATA: other, SINETA_PORT: port })).rejects.toMatchObject({
      code: "port-in-use",
    });
    expect(isServing(other)).toBe(false);
    const second = await start({ SINETA_DATA: other });
    await second.stop();
  });

  test("a secret that others may read is told of in the log", async () => {
    const other = join(bench.folder, "other");
    const logged: string[] = [];
    const log = createLog("warn", { write: (line) => logged.push(line) });
    await (await start({ SINETA_DATA: other }, log)).stop();
    expect(logged).toEqual([]);
    chmodSync(join(other, "secret"), 0o644);
    await (await start({ SINETA_DATA: other }, log)).stop();
    expect(logged).toEqual([expect.stringContaining("chmod 600")]);
  });

  test("the secret of another data folder is refused, and nothing listens", async () => {
    const other = join(bench.folder, "other");
    await (await start({ SINETA_DATA: other })).stop();
    rmSync(join(other, "secret"));
    await expect(start({ SINETA_DATA: other })).rejects.toMatchObject({ code: "secret-unusable" });
    expect(isServing(other)).toBe(false);
  });
});
