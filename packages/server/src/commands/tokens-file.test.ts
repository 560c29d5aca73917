import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readTokensFile } from "./tokens-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-tokens-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.for(["\n", "\r\n", "\r", "\r\n\r\n", "\n\r"])(
  "a line may end with %j, and empty lines count for nothing",
  (end) => {
    writeFileSync(join(folder, "tokens.txt"), ["", "a", " b ", "c", ""].join(end));
    expect(readTokensFile("tokens.txt", folder)).toEqual(["a", "b", "c"]);
  },
);

test("the apostrophe of an exported table is no part of a token", () => {
  writeFileSync(join(folder, "tokens.txt"), "'-a\nb\n'\n");
  expect(readTokensFile("tokens.txt", folder)).toEqual(["-a", "b"]);
});

test("an empty path names no file", () => {
  expect(() => readTokensFile("", folder)).toThrow(
    expect.objectContaining({
      code: "usage",
      message: '--tokens is "": expected the path of a file.',
    }),
  );
});
