import { expect, test } from "vitest";
import { createFormat } from "./format.ts";

test.for([
  ["pt-BR", "semicolon"],
  ["es", "semicolon"],
  ["en", "comma"],
] as const)("a spreadsheet in %s expects a %s", ([language, separator]) => {
  expect(createFormat(language).csvSeparator).toBe(separator);
});
