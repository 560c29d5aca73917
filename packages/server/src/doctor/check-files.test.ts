import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testPlaces } from "../test/places.ts";
import { checkFiles } from "./check-files.ts";

let bench: ReturnType<typeof testPlaces>;
let database: string;
beforeEach(() => {
  bench = testPlaces();
  mkdirSync(bench.dataFolder, { mode: 0o700 });
  database = join(bench.dataFolder, "sineta.db");
  writeFileSync(database, "", { mode: 0o600 });
});
afterEach(() => rmSync(bench.folder, { recursive: true }));

const check = (secretFile: string | null = null) => checkFiles(bench.dataFolder, secretFile);

test("private files are well", () => {
  expect(check()).toMatchObject([{ code: "files-private", state: "ok" }]);
  // The closed folder keeps others out.
  chmodSync(database, 0o644);
  expect(check()).toMatchObject([{ code: "files-private" }]);
});

test("names a file that others can read", () => {
  chmodSync(bench.dataFolder, 0o755);
  expect(check()).toMatchObject([{ code: "files-private" }]);
  chmodSync(database, 0o640);
  expect(check()).toMatchObject([
    { code: "file-open", state: "to-do", subject: database, seen: "640" },
  ]);
});

test("names a secret's file that others can read, wherever it lies", () => {
  const secret = join(bench.folder, "secret");
  writeFileSync(secret, "x".repeat(44), { mode: 0o640 });
  expect(check(secret)).toMatchObject([{ code: "files-private" }]);
  chmodSync(secret, 0o644);
  expect(check(secret)).toMatchObject([{ code: "file-open", subject: secret, seen: "644" }]);
  expect(check("/run/secrets/sineta")).toMatchObject([{ code: "files-private" }]);
  expect(check(join(bench.folder, "none"))).toMatchObject([{ code: "files-private" }]);
});

test("goes through links to the data folder and to the secret", () => {
  chmodSync(database, 0o644);
  const folder = join(bench.folder, "link");
  symlinkSync(bench.dataFolder, folder);
  expect(checkFiles(folder, null)).toMatchObject([{ code: "files-private" }]);
  writeFileSync(join(bench.folder, "secret"), "x".repeat(44), { mode: 0o644 });
  const secret = join(bench.folder, "secret-link");
  symlinkSync("secret", secret);
  expect(check(secret)).toMatchObject([{ code: "file-open", subject: secret, seen: "644" }]);
  const loop = join(bench.folder, "loop");
  symlinkSync("loop", loop);
  expect(check(loop)).toMatchObject([{ code: "files-private" }]);
});

test("names an open database also beside a secret that cannot be looked at", () => {
  chmodSync(bench.dataFolder, 0o755);
  chmodSync(database, 0o644);
  const loop = join(bench.folder, "loop");
  symlinkSync("loop", loop);
  expect(check(loop)).toMatchObject([{ code: "file-open", subject: database }]);
});

test("names the folder in place of a file whose name a shell would run as a command", () => {
  chmodSync(bench.dataFolder, 0o755);
  for (const name of ["x;reboot", "$(reboot)", "a b"]) {
    writeFileSync(join(bench.dataFolder, name), "", { mode: 0o644 });
  }
  expect(check()).toMatchObject([{ code: "file-open", subject: bench.dataFolder, seen: "755" }]);
});

test.runIf(process.getuid?.() === 0)("names a file of another user", () => {
  const log = join(bench.dataFolder, "sineta.db-wal");
  writeFileSync(log, "", { mode: 0o600 });
  chownSync(bench.dataFolder, 12_345, 12_345);
  chownSync(database, 12_345, 12_345);
  expect(check()).toMatchObject([{ code: "file-of-another", subject: log, seen: "0" }]);
  // The group of the folder may differ from the server's user.
  chownSync(log, 12_345, 12_345);
  chownSync(bench.dataFolder, 0, 12_345);
  expect(check()).toMatchObject([{ code: "files-private" }]);
});

test("a folder that is not there has no files", () => {
  rmSync(bench.dataFolder, { recursive: true });
  expect(check()).toEqual([]);
});
