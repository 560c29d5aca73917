import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createSecret,
  promoteNextSecret,
  readSecret,
  secretPath,
  secretWarning,
  writeNextSecret,
} from "./secret-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-secret-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the secret file", () => {
  test("is made once, for its owner alone, and leaves no draft", () => {
    expect(readSecret(folder)).toBeNull();
    const secret = createSecret(folder, randomBytes);
    expect(secret).toHaveLength(32);
    expect(readSecret(folder)).toEqual(secret);
    expect(statSync(secretPath(folder)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  test("whoever is second gets the secret of the first", () => {
    const first = createSecret(folder, randomBytes);
    expect(createSecret(folder, randomBytes)).toEqual(first);
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  test("that others may read is said, with the remedy", () => {
    expect(secretWarning(folder)).toBeNull();
    createSecret(folder, randomBytes);
    expect(secretWarning(folder)).toBeNull();
    for (const mode of [0o644, 0o666, 0o640]) {
      chmodSync(secretPath(folder), mode);
      expect(secretWarning(folder)).toContain(`chmod 600 ${secretPath(folder)}`);
    }
  });

  test("may be replaced by the next one twice, and by no other one", () => {
    createSecret(folder, randomBytes);
    const next = writeNextSecret(folder, randomBytes);
    promoteNextSecret(folder, next);
    promoteNextSecret(folder, next);
    expect(readSecret(folder)).toEqual(next);
    expect(() => promoteNextSecret(folder, randomBytes(32))).toThrow("ENOENT");
  });

  test.skipIf(process.platform === "win32")("that is a pipe is refused at once", () => {
    execFileSync("mkfifo", [secretPath(folder)]);
    const read = `import { readSecret } from ${JSON.stringify(import.meta.resolve("./secret-file.ts"))};
      try { readSecret(process.argv[1]); } catch (error) { console.log(error.message); }`;
    const told = execFileSync(
      process.execPath,
      ["--input-type=module", "--eval", read, "--", folder],
      { timeout: 10_000, encoding: "utf8" },
    );
    expect(told).toMatch(/^The secret, .*, is a pipe, not a file/);
  });

  test("that is none is refused", () => {
    writeFileSync(secretPath(folder), "too short");
    expect(() => readSecret(folder)).toThrow(expect.objectContaining({ code: "secret-unusable" }));
    rmSync(secretPath(folder));
    mkdirSync(secretPath(folder));
    expect(() => readSecret(folder)).toThrow(expect.objectContaining({ code: "secret-unusable" }));
  });
});
