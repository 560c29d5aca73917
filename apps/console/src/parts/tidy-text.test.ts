import { expect, test } from "vitest";
import { textRules } from "@sineta/protocol/text";
import { flawOfText, tidyLine, tidyLines, tidyName } from "./tidy-text.ts";

test("replaces control characters with spaces, and the server accepts the result", () => {
  const pasted = "\tPão\u000bquente\r\nàs\u2028 7h\u0000\n";
  const line = tidyLine(pasted);
  expect(line).toBe("Pão quente às  7h");
  expect(flawOfText(line, textRules.title)).toBeNull();
  const lines = tidyLines(pasted);
  expect(lines).toBe(" Pão quente\nàs\u2028 7h \n");
  expect(flawOfText(lines, textRules.body)).toBeNull();
  expect(flawOfText(tidyLines(" \t\n"), textRules.body)).toBeNull();
});

test("a name loses its direction marks", () => {
  expect(tidyName("\u202aAna\u202c\tمريم\u200f ")).toBe("Ana مريم");
});

test.for([
  ["\u200b", "missing"],
  ["x".repeat(201), "too-long"],
  ["a\ud83d", "cut-character"],
  ["a\tb", "wrong"],
  ["🔔", null],
] as const)("%j has the flaw %s", ([text, flaw]) => {
  expect(flawOfText(text, textRules.title)).toBe(flaw);
});
