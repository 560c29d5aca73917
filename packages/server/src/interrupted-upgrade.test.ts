/** What a server finds that starts on the data of an earlier version, when the first start was cut off. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import {
  backupScene,
  type BackupScene,
  isSound,
  rowsBesideHold,
  rowsOf,
  thawData,
} from "./backup/testing/scene.ts";
import { openDataFolder, waitForUpgrade } from "./data-folder.ts";
import { openDatabase } from "./store/sqlite/connection.ts";
import { migrate } from "./store/sqlite/migrate.ts";
import { migrations } from "./store/sqlite/migrations/index.ts";
import { schemaStateAt } from "./store/sqlite/open.ts";
import { patience } from "./test/patience.ts";
import { testPlaces } from "./test/places.ts";
import { readyLine, startFull, startScript, type TestProcess } from "./test/process.ts";
import { runCommand } from "./test/run-command.ts";

/** The migrations of the frozen data. */
const earlier = migrations.slice(0, 13);
const killAt = fileURLToPath(new URL("backup/testing/kill-at.ts", import.meta.url));

/** Its `source` is the frozen data after an upgrade that was not cut off. */
let upgraded: BackupScene;
beforeAll(async () => {
  upgraded = await backupScene();
});
afterAll(() => rmSync(upgraded.folder, { recursive: true }));

let bench: ReturnType<typeof testPlaces>;
let processes: TestProcess[];
beforeEach(() => {
  bench = testPlaces();
  thawData(bench.dataFolder);
  processes = [];
});
afterEach(async () => {
  for (const each of processes) each.kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  rmSync(bench.folder, { recursive: true });
});

const sineta = (...words: string[]) => runCommand([...words, "--data", bench.dataFolder], bench);
const database = () => join(bench.dataFolder, "sineta.db");

/** Starts the command, which gets the signal before the first SQL that fits. */
function start(word: string, before: string, signal: NodeJS.Signals): TestProcess {
  const { siteFolder, workerFile } = bench.places;
  const words = [siteFolder, workerFile, word, "--data", bench.dataFolder, "--port", "0"];
  const environment = { ...process.env, KILL_BEFORE: before, KILL_SIGNAL: signal };
  const script = new URL("test/child.ts", import.meta.url);
  const started = startScript(script, words, { preload: killAt, environment });
  processes.push(started);
  return started;
}

/** Starts a server that stands still before the first SQL that fits. */
async function startStopped(before: string): Promise<TestProcess> {
  const server = start("serve", before, "SIGSTOP");
  await vi.waitUntil(server.isStopped, patience);
  return server;
}

/** All rows without migration times, and the names of the migrations. */
function contentOf(path: string): object {
  const { schema_migrations: applied, schema_versions: _, ...rows } = rowsBesideHold(path);
  return { names: applied?.map(({ name }) => name), rows };
}

async function expectUpgraded(): Promise<void> {
  await (await openDataFolder(bench.dataFolder, 5)).close();
  expect(contentOf(database())).toEqual(contentOf(join(upgraded.source, "sineta.db")));
  expect(isSound(database())).toBe(true);
}

/** Does with the schema what a start of the version of the frozen data does. */
function startEarlier(): void {
  const opened = openDatabase(database());
  try {
    migrate(opened, 5, earlier, "0.0.13");
  } finally {
    opened.close();
  }
}

// An upgrade is two transactions: the migrations, and the assignment of registrations to push services. These are a step inside of
// each, and the steps before and after the first commit.
describe("a server killed while it upgrades the data", () => {
  test.for([
    ["inside of a migration", "insert into message_words"],
    ["before the commit", "^commit$"],
  ])("%s: both versions find the data unchanged", async ([, step = ""]) => {
    const before = rowsOf(database());
    const { stdout } = await start("serve", step, "SIGKILL").ended;
    expect(stdout).toBe("reached\n");
    startEarlier();
    const { schema_versions: versions, ...rows } = rowsOf(database());
    expect({ versions, rows }).toEqual({ versions: [], rows: before });
    await expectUpgraded();
  });

  test.for([
    ["after the commit", "create temp table changed"],
    ["inside of what comes after the commit", "insert into push_service_rules"],
  ])(
    "%s: the earlier version names the new version, which then finishes the upgrade",
    async ([, step = ""]) => {
      const { stdout } = await start("serve", step, "SIGKILL").ended;
      expect(stdout).toBe("reached\n");
      expect(startEarlier).toThrow(
        `The data folder was written by Sineta ${packageJson.version}. This is Sineta 0.0.13, which does not know the migration 0014-push-services: ` +
          `run Sineta ${packageJson.version} or a later version, or go back to a back-up from before the upgrade.`,
      );
      await expectUpgraded();
    },
  );
});

test("a server that finds the disk full in an upgrade says why it ends, and leaves the data as they were", async () => {
  const before = rowsOf(database());
  // The upgrade writes more than 512 blocks, and the first of its migrations alone fewer.
  const { status, stdout, stderr } = await startFull(["serve"], bench, { blocks: 480 }).ended;
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  const [logged = "", ...told] = stderr.split("\n");
  expect(JSON.parse(logged)).toMatchObject({ msg: "upgrading the data of an earlier version" });
  expect(told).toEqual([
    `sineta: The disk of the data folder is full, so the command cannot do its work: free space on the disk that has ${bench.dataFolder}, then run the command again.`,
    "",
  ]);
  expect(rowsOf(database())).toEqual(before);
  await expectUpgraded();
});

test("while a server upgrades the data, a second server does not start, a command says to wait, and a back-up has the data from before", async () => {
  const server = await startStopped("^commit$");
  expect(await sineta("serve")).toEqual({
    status: 1,
    out: "",
    err: `sineta: Another Sineta server already works on ${bench.dataFolder}: stop it, or set SINETA_DATA to another folder.\n`,
  });
  expect(await sineta("keys")).toEqual({
    status: 1,
    out: "",
    err: `sineta: A Sineta server upgrades the data in ${bench.dataFolder}: wait until it is ready, then run the command again.\n`,
  });
  const file = join(bench.folder, "one.db");
  expect(await sineta("backup", file)).toMatchObject({ status: 0, err: "" });
  const { registrations } = rowsOf(join(upgraded.source, "sineta.db"));
  expect(rowsOf(file)).toMatchObject({ registrations });
  server.kill("SIGCONT");
  await server.line(readyLine);
  expect(await sineta("keys")).toMatchObject({ status: 0, err: "" });
});

test("a command that meets the second transaction of an upgrade says to wait for the server", async () => {
  const server = await startStopped("insert into push_service_rules");
  expect(await sineta("keys")).toEqual({
    status: 1,
    out: "",
    err: `sineta: A Sineta server runs on ${bench.dataFolder}, and it or another program writes there for long: wait until sineta ready succeeds, then run the command again.\n`,
  });
  server.kill("SIGCONT");
  await server.line(readyLine);
  expect(await sineta("keys")).toMatchObject({ status: 0, err: "" });
});

test.for([
  ["before it begins the upgrade", "^begin immediate$", "goes on", "SIGCONT", "applied"],
  ["before it commits the upgrade", "^commit$", "goes on", "SIGCONT", "applied"],
  ["before it begins the upgrade", "^begin immediate$", "is killed", "SIGKILL", "pending"],
  ["before it commits the upgrade", "^commit$", "is killed", "SIGKILL", "pending"],
] as const)(
  "a command waits for a server that stands still $0, until it $2",
  async ([, step, , signal, schema]) => {
    const server = await startStopped(step);
    const waiting = waitForUpgrade(bench.dataFolder, patience.timeout);
    server.kill(signal);
    await waiting;
    expect(schemaStateAt(database())).toBe(schema);
  },
);
