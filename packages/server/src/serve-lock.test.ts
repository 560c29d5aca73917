import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isServing, takeServeLock } from "./serve-lock.ts";
import { startScript } from "./test/process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the serve lock", () => {
  test("is held by one, seen by all, and free again after release", () => {
    expect(isServing(folder)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    const release = takeServeLock(folder);
    expect(isServing(folder)).toBe(true);
    expect(() => takeServeLock(folder)).toThrow(expect.objectContaining({ code: "data-in-use" }));
    release();
    release();
    expect(isServing(folder)).toBe(false);
    takeServeLock(folder)();
  });

  test("that is no lock, or a folder, is said in one sentence", () => {
    const path = join(folder, "serve.lock");
    const unusable = (why: string) =>
      expect.objectContaining({ code: "data-unwritable", message: expect.stringContaining(why) });
    const isDamaged = unusable(`The lock ${path} is damaged: it holds no data, so remove it.`);
    const isFolder = unusable(`${path} is not a file: move it away.`);
    writeFileSync(path, "garbage ".repeat(1_000));
    expect(() => takeServeLock(folder)).toThrow(isDamaged);
    expect(() => isServing(folder)).toThrow(isDamaged);
    rmSync(path);
    mkdirSync(path);
    expect(() => takeServeLock(folder)).toThrow(isFolder);
    expect(() => isServing(folder)).toThrow(isFolder);
  });

  test("is let go by the operating system when its process is killed", async () => {
    const child = startScript(new URL("test/lock-child.ts", import.meta.url), [folder]);
    try {
      await child.line(/^held$/);
      expect(isServing(folder)).toBe(true);
    } finally {
      child.kill("SIGKILL");
      await child.ended;
    }
    expect(isServing(folder)).toBe(false);
  });
});
