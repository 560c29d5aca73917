import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "./open.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-check-"));
  path = join(folder, "sineta.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the store's check", () => {
  test("fails once nothing more can be written, and the cause is told; what is there can be read", async () => {
    const child = fileURLToPath(new URL("../../test/full-disk-child.ts", import.meta.url));
    // No file may grow beyond a MiB or so, as on a full disk.
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      'ulimit -f 2048 && exec "$0" "$@"',
      process.execPath,
      child,
      path,
    ]);
    const told = { said: expect.stringMatching(/disk/), full: true };
    const { messages, ...failures } = JSON.parse(stdout);
    expect(failures).toEqual({ write: told, check: told });
    expect(messages).toBeGreaterThan(0);
  });

  test("fails once the file is deleted, or another lies in its place", async () => {
    const store = await openSqliteStore(path, 0);
    await store.check();
    const elsewhere = join(folder, "elsewhere.db");
    renameSync(path, elsewhere);
    await expect(store.check()).rejects.toThrow(path);
    copyFileSync(elsewhere, path);
    await expect(store.check()).rejects.toThrow(path);
    rmSync(path);
    renameSync(elsewhere, path);
    await store.check();
    await store.close();
  });
});
