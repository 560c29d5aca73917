import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killAtEach } from "../backup/testing/kill-at-each.ts";
import { isSound, rowsOf, thawData } from "../backup/testing/scene.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startFull, startSineta, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";

const passphrase = "correct horse battery staple";
const environment = { SINETA_BACKUP_PASSPHRASE: passphrase };

let bench: ReturnType<typeof testPlaces>;
let file: string;
let processes: TestProcess[];
beforeEach(async () => {
  bench = testPlaces();
  processes = [];
  const source = join(bench.folder, "source");
  thawData(source);
  file = join(bench.folder, "one.db");
  await sineta(["backup", file, "--with-secret", "--data", source]);
});
afterEach(async () => {
  for (const each of processes) each.kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  rmSync(bench.folder, { recursive: true });
});

const sineta = (words: string[]) => runCommand(words, { ...bench, environment });
/** In the data folder, but for the lock. */
const names = () => readdirSync(bench.dataFolder).filter((name) => !name.startsWith("serve.lock"));
const database = () => join(bench.dataFolder, "sineta.db");

async function serve(): Promise<void> {
  const { places, folder } = bench;
  const server = startSineta(["serve"], { places, folder, environment: { SINETA_PORT: "0" } });
  processes.push(server);
  await server.line(readyLine);
}

test("a server starts on what was restored, and no back-up is restored onto it", async () => {
  const { status, out, err } = await sineta(["restore", "one.db"]);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toMatch(
    /^Restored \S+one\.db into \S+data: 49 registrations and 7 messages, from \S+Z, by Sineta \S+\.\nThe secret 5ee05a36, which opens its keys, came out of the back-up into the data folder\.\nThe server delivers nothing until sineta resume\.\n$/,
  );
  await serve();
  const again = await sineta(["restore", "one.db"]);
  expect(again).toMatchObject({ status: 1, out: "" });
  expect(again.err).toContain("A Sineta server works on");
});

test.for([{ words: [] }, { words: ["one.db", "two.db"] }])(
  "$words is wrong usage",
  async ({ words }) => {
    expect(await sineta(["restore", ...words])).toEqual({
      status: 2,
      out: "",
      err: "sineta: Expected sineta restore FILE: see sineta restore --help.\n",
    });
  },
);

test("a full disk is told, and leaves no part of the database", async () => {
  mkdirSync(bench.dataFolder);
  expect(await startFull(["restore", file], bench, { blocks: 128, environment }).ended).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^sineta: The disk of the data folder is full, [^\n]*\n$/),
  });
  expect(names()).toEqual([]);
});

test(
  "killed before any of its steps leaves no database or a whole one, and the next one works",
  { timeout: 180_000 },
  async () => {
    const { siteFolder, workerFile } = bench.places;
    const words = [siteFolder, workerFile, "restore", file, "--data", bench.dataFolder];
    const look = async () => {
      const found = existsSync(database()) ? "whole" : "none";
      if (!existsSync(database())) await sineta(["restore", file]);
      expect(isSound(database())).toBe(true);
      const { delivery_hold, backup } = rowsOf(database());
      expect(delivery_hold).toMatchObject([{ reason: "restored" }]);
      expect(backup).toBeUndefined();
      expect(names()).toEqual(["secret", "sineta.db"]);
      rmSync(bench.dataFolder, { recursive: true });
      return found;
    };
    const left = await killAtEach(words, environment, { folder: bench.dataFolder, look });
    expect(left.length).toBeGreaterThan(7);
    expect([...new Set(left)]).toEqual(["none", "whole"]);
  },
);
