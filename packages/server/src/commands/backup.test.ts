import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { killAtEach } from "../backup/testing/kill-at-each.ts";
import { isSound, rowsOf, thawData } from "../backup/testing/scene.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { openDatabase } from "../store/sqlite/connection.ts";
import { siteClient } from "../test/http-client.ts";
import { makeData } from "../test/make-data.ts";
import { patience } from "../test/patience.ts";
import { testPlaces } from "../test/places.ts";
import { readyLine, startFull, startSineta, type TestProcess } from "../test/process.ts";
import { runCommand } from "../test/run-command.ts";

let bench: ReturnType<typeof testPlaces>;
let folder: string;
let processes: TestProcess[];
beforeEach(() => {
  bench = testPlaces();
  processes = [];
  folder = join(bench.folder, "backups");
  mkdirSync(folder);
});
afterEach(async () => {
  for (const child of processes) child.kill("SIGKILL");
  await Promise.all(processes.map(({ ended }) => ended));
  rmSync(bench.folder, { recursive: true });
});

const file = () => join(folder, "one.db");
const child = fileURLToPath(new URL("../test/child.ts", import.meta.url));
const nobodyId = 65_534;
const passphrase = "correct horse battery staple";
const sineta = (words: string[], environment: Record<string, string> = {}) =>
  runCommand(words, { ...bench, environment });

function start(words: string[], environment: Record<string, string> = {}): TestProcess {
  const { places } = bench;
  const started = startSineta(words, { places, folder: bench.folder, environment });
  processes.push(started);
  return started;
}

describe("sineta backup", () => {
  beforeEach(() => thawData(bench.dataFolder));

  test("says what it wrote and which secret opens it, as sineta secrets fingerprint does", async () => {
    const { out: fingerprint } = await sineta(["secrets", "fingerprint"]);
    expect(fingerprint).toBe("5ee05a36\n");
    expect(await sineta(["backup", "backups/one.db"])).toEqual({
      status: 0,
      out:
        `Wrote ${file()} (0.5 MB), with 49 registrations and 7 messages.\n` +
        "The secret 5ee05a36 opens its keys and is not in it: keep a copy of the secret apart.\n",
      err: "",
    });
  });

  test("seals the secret with a passphrase, and stores neither", async () => {
    const environment = { SINETA_BACKUP_PASSPHRASE: passphrase };
    const { status, out } = await sineta(["backup", file(), "--with-secret"], environment);
    expect(status).toBe(0);
    expect(out).toContain("The secret 5ee05a36 is in it, sealed with the passphrase.\n");
    expect(rowsOf(file())["backup"]).toMatchObject([
      { memory_kib: 65_536, passes: 3, lanes: 4, sealed_secret: expect.any(Uint8Array) },
    ]);
    expect(out).not.toContain(passphrase);
  });

  test("asks for the passphrase before it writes", async () => {
    expect(await sineta(["backup", file(), "--with-secret"])).toEqual({
      status: 1,
      out: "",
      err: "sineta: The secret in the back-up has a passphrase: call the command at a terminal, or set SINETA_BACKUP_PASSPHRASE.\n",
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("says so where this user may not look", async () => {
    const hidden = join(folder, "hidden");
    mkdirSync(hidden, { mode: 0o700 });
    chmodSync(bench.folder, 0o711);
    chownSync(bench.dataFolder, nobodyId, nobodyId);
    for (const name of readdirSync(bench.dataFolder))
      chownSync(join(bench.dataFolder, name), nobodyId, nobodyId);
    process.seteuid?.(nobodyId);
    try {
      expect(await sineta(["backup", join(hidden, "one.db")])).toEqual({
        status: 1,
        out: "",
        err: `sineta: The back-up ${hidden}/one.db cannot be made: this user may not write into ${hidden}, so run the command as one that may.\n`,
      });
    } finally {
      process.seteuid?.(0);
    }
  });

  test("keeps so many in a folder, and removes none where the new one fails", async () => {
    const old = ["sineta-20200101T000000Z.db", "sineta-20210101T000000Z.db"];
    for (const name of old) new DatabaseSync(join(folder, name)).exec("create table t (x)");
    const words = ["backup", "--folder", "backups", "--keep", "2"];
    const full = await startFull(words, bench, { blocks: 128 }).ended;
    expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining("is full") });
    expect(readdirSync(folder)).toEqual(old);
    const { status, out } = await sineta(words);
    const [kept = "", made = ""] = readdirSync(folder);
    expect([kept, made]).toEqual([old[1], expect.stringMatching(/^sineta-2\d{7}T\d{6}Z\.db$/)]);
    expect(status).toBe(0);
    expect(out).toContain(`Wrote ${join(folder, made)} (`);
    expect(out).toContain(`\nRemoved ${join(folder, old[0] ?? "")}.\n`);
  });

  test("names back-ups of the future on one line, and removes none of them", async () => {
    const future = ["sineta-29990101T000000Z.db", "sineta-29990102T000000Z.db"];
    for (const name of future) writeFileSync(join(folder, name), "");
    const { status, err } = await sineta(["backup", "--folder", "backups", "--keep", "1"]);
    expect(status).toBe(0);
    expect(err).toBe(
      `Not counted with --keep, and never removed, because its name lies in the future: ${future.map((name) => join(folder, name)).join(", ")}. Look at the clock, and remove by hand what is old.\n`,
    );
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^sineta-2/), ...future]);
  });

  test("removes no back-up of another server from the folder, and says so", async () => {
    const other = join(folder, "sineta-20200101T000000Z.db");
    await makeData(join(bench.folder, "other"));
    await sineta(["backup", other, "--data", "other"]);
    const { status, err } = await sineta(["backup", "--folder", "backups", "--keep", "1"]);
    expect({ status, err }).toEqual({
      status: 0,
      err: `Not counted with --keep, and never removed, because its VAPID keys are others than this server's: ${other}.\n`,
    });
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test.for<[words: string, says: RegExp]>([
    ["", /^sineta: Expected a FILE, or --folder: see sineta backup --help\.\n$/],
    ["one.db two.db", /a word too many/],
    ["none/", /FILE is "none\/", a folder: name a file in it, or use --folder/],
    ["backups", /FILE is "backups", a folder/],
    ["--keep 3", /--keep needs --folder/],
    ["--folder backups", /--folder needs --keep/],
    ["one.db --folder backups --keep 3", /FILE and --folder exclude each other/],
    ["--folder backups --keep 0", /--keep is "0": expected a number from 1/],
    ["--folder backups --keep 1.5", /--keep is "1\.5"/],
    ["--folder backups --keep all", /--keep is "all"/],
  ])("%s is wrong usage", async ([words, says]) => {
    const given = words === "" ? [] : words.split(" ");
    const { status, out, err } = await sineta(["backup", ...given]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(says);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.for<[name: string, words: () => string[], says: RegExp]>([
    [
      "a FILE with too long a name",
      () => ["x".repeat(300)],
      /cannot be made: its name is too long/,
    ],
    [
      "a FILE below a link to itself",
      () => [join(linkToItself(), "one.db")],
      /cannot be made: \S+loop is a link that leads to itself/,
    ],
    [
      "a link to itself as --folder",
      () => ["--folder", linkToItself(), "--keep", "2"],
      /cannot be made: \S+loop is a link that leads to itself/,
    ],
  ])("%s is told as that", async ([, words, says]) => {
    const { status, out, err } = await sineta(["backup", ...words()]);
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(says);
  });

  function linkToItself(): string {
    const link = join(bench.folder, "loop");
    symlinkSync(link, link);
    return link;
  }

  test("on a full disk says so, and leaves nothing", async () => {
    expect(await startFull(["backup", file()], bench, { blocks: 128 }).ended).toEqual({
      status: 1,
      stdout: "",
      stderr: `sineta: The disk of the back-up is full, so no back-up was made: free space on the disk that has ${folder}, or name a file on another disk.\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  /** What a killed back-up has left under its name. */
  function leftOver(): "none" | "whole" | "broken" {
    if (!existsSync(file())) return "none";
    const isWhole = isSound(file()) && rowsOf(file())["backup"]?.length === 1;
    return isWhole ? "whole" : "broken";
  }

  const parts = () => readdirSync(folder).filter((name) => name.startsWith(".sineta-backup-"));

  async function makeAnother(): Promise<void> {
    const left = parts();
    rmSync(file(), { force: true });
    expect((await sineta(["backup", file()])).status).toBe(0);
    expect(readdirSync(folder)).toEqual([...left, "one.db"]);
    expect(leftOver()).toBe("whole");
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }

  test(
    "killed before any of its steps leaves no file or a whole one, and the next one works",
    { timeout: 180_000 },
    async () => {
      await (await openPresentDataFolder(bench.dataFolder, 1)).close();
      const { siteFolder, workerFile } = bench.places;
      const words = [siteFolder, workerFile, "backup", file(), "--data", bench.dataFolder];
      const look = async () => {
        const found = leftOver();
        await makeAnother();
        return found;
      };
      const left = await killAtEach(words, {}, { folder, look });
      expect(left.length).toBeGreaterThan(6);
      expect([...new Set(left)]).toEqual(["none", "whole"]);
    },
  );

  /** Starts again where the back-up was through before the kill. */
  async function killOnce(bytes: number): Promise<void> {
    for (;;) {
      const killed = start(["backup", file()]);
      let isOver = false;
      void killed.ended.then(() => (isOver = true));
      const size = () => {
        const [name = ""] = parts();
        return statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      };
      await expect.poll(() => isOver || size() > bytes, { ...patience, interval: 1 }).toBe(true);
      killed.kill("SIGKILL");
      const { status } = await killed.ended;
      if (status === null && leftOver() === "none") return;
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }
  }

  test(
    "killed while it copies leaves no file, and the next one works",
    { timeout: 180_000 },
    async () => {
      const source = openDatabase(join(bench.dataFolder, "sineta.db"));
      source.exec(`create table filler (bytes blob) strict;
      with recursive number (n) as (select 1 union all select n + 1 from number where n < 100)
      insert into filler select randomblob(1000000) from number`);
      source.close();
      for (const megabytes of [1, 10, 30]) {
        await killOnce(megabytes * 1_000_000);
        expect(parts()[0]).toMatch(/\.part$/);
        await makeAnother();
      }
    },
  );

  test("asks at a terminal twice, and shows nothing of the answers", async () => {
    const { siteFolder, workerFile } = bench.places;
    const words = [
      process.execPath,
      child,
      siteFolder,
      workerFile,
      "backup",
      file(),
      "--with-secret",
    ];
    const line = words.map((word) => `'${word}'`).join(" ");
    const terminal = execFile("script", ["-qec", line, "/dev/null"], {
      cwd: bench.folder,
      env: process.env,
    });
    let shown = "";
    terminal.stdout?.on("data", (text: string) => (shown += text));
    const waitFor = async (text: string) => {
      await expect.poll(() => shown, patience).toContain(text);
    };
    await waitFor("A passphrase for the secret in the back-up: ");
    terminal.stdin?.write(`${passphrase}\n`);
    await waitFor("The passphrase again: ");
    terminal.stdin?.write(`${passphrase}\n`);
    await waitFor("sealed with the passphrase.");
    expect(shown).not.toContain("horse");
  });
});

test(
  "a back-up under a server that registers browsers is of one moment, and hinders none",
  { timeout: 120_000 },
  async () => {
    const environment = { SINETA_PORT: "0", SINETA_REGISTRATIONS_PER_MINUTE: "1000000" };
    const server = start(["serve"], environment);
    const client = await siteClient((await server.line(readyLine))[1] ?? "");
    let answered = 0;
    const clientsEnd = new AbortController();
    const clients = Array.from({ length: 4 }, async () => {
      while (!clientsEnd.signal.aborted) {
        await client.register();
        answered += 1;
      }
    });
    const made: { before: number; after: number; path: string }[] = [];
    for (const name of ["a.db", "b.db", "c.db"]) {
      const before = answered;
      await expect.poll(() => answered, patience).toBeGreaterThan(before + 50);
      const path = join(folder, name);
      const atStart = answered;
      expect(await start(["backup", path]).ended).toMatchObject({ status: 0, stderr: "" });
      made.push({ before: atStart, after: answered, path });
    }
    clientsEnd.abort();
    await Promise.all(clients);
    server.kill("SIGTERM");
    await server.ended;
    const all = rowsOf(join(bench.dataFolder, "sineta.db"))["registrations"] ?? [];
    for (const { before, after, path } of made) {
      expect(after).toBeGreaterThan(before);
      expect(isSound(path)).toBe(true);
      const there = rowsOf(path)["registrations"] ?? [];
      expect(there.length).toBeGreaterThanOrEqual(before);
      expect(there.length).toBeLessThanOrEqual(after + 4);
      // Without a gap: each later one came after that moment.
      expect(there.map(({ id }) => id)).toEqual(all.slice(0, there.length).map(({ id }) => id));
    }
    expect(statSync(made[0]?.path ?? "").mode & 0o777).toBe(0o600);
  },
);
