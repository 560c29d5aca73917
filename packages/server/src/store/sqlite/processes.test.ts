import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startScript } from "../../test/process.ts";
import { openSqliteStore } from "./open.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-processes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("two processes that make the database and register the same browsers at once make each once", async () => {
  const path = join(folder, "sineta.db");
  const script = new URL("../../test/register-child.ts", import.meta.url);
  const processes = [startScript(script, [path, "60"]), startScript(script, [path, "60"])];
  const results = await Promise.all(processes.map(({ ended }) => ended));
  expect(results.map(({ status, stderr }) => ({ status, stderr }))).toEqual([
    { status: 0, stderr: "" },
    { status: 0, stderr: "" },
  ]);
  const [first = [], second = []] = results.map(({ stdout }) => stdout.trim().split("\n"));
  const kinds = [...first, ...second].map((line) => line.split(" ")[0]);
  expect(kinds.filter((kind) => kind === "new")).toHaveLength(60);
  expect(kinds.filter((kind) => kind === "refreshed")).toHaveLength(60);
  const tokens = (lines: string[]) => lines.map((line) => line.split(" ")[1]);
  expect(tokens(first)).toEqual(tokens(second));

  const store = await openSqliteStore(path, 0);
  const { id } = await store.projects.ensure("default", 0);
  expect(await store.registrations.countLive(id)).toBe(60);
  expect(await store.projects.vapidKeys(id)).toHaveLength(1);
  await store.close();
});
