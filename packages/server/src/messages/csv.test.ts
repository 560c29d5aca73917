import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test.for<[field: string | number, written: string]>([
  ["pão", "pão"],
  ["", ""],
  [-7, "-7"],
  ["a,b", '"a,b"'],
  ['say "ah"', '"say ""ah"""'],
  ["two\nlines", '"two\nlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  // What a spreadsheet would calculate.
  ["=1+1", "'=1+1"],
  ["+55 11", "'+55 11"],
  ["-token", "'-token"],
  ["@SUM(1)", "'@SUM(1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["＝1", "'＝1"],
  ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ["a=1", "a=1"],
])("%j is written %j", ([field, written]) => {
  expect(csvLine([field])).toBe(`${written}\r\n`);
});

test("a line has its fields in their order", () => {
  expect(csvLine(["a", 1, "", "b c"])).toBe("a,1,,b c\r\n");
});
