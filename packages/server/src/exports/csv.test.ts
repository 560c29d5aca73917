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
  ["\t=1", `"'\t'=1"`],
  ["\r=1", `"'\r'=1"`],
  ["\n=1", `"'\n'=1"`],
  ["＝1", "'＝1"],
  ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ["a=1", "a=1"],
  ["a\tb", '"a\tb"'],
  ["a\u0000\u001bb", "a��b"],
])("%j is written %j, whatever separates", ([field, written]) => {
  for (const separator of ["comma", "semicolon"] as const) {
    expect(csvLine([field], separator)).toBe(`${written}\r\n`);
  }
});

test.for<[field: string, comma: string, semicolon: string]>([
  ["a;b", '"a;b"', '"a;b"'],
  // A spreadsheet that splits elsewhere than the file would have a formula in a cell of its own.
  ["a;=1+1;", `"a;'=1+1;"`, '"a;=1+1;"'],
  ["a,=1+1,", '"a,=1+1,"', `"a,'=1+1,"`],
  ["a\t=1+1", `"a\t'=1+1"`, `"a\t'=1+1"`],
  ["a\n-1;\r\n@x", `"a\n'-1;\r\n'@x"`, `"a\n'-1;\r\n'@x"`],
  ['a;"=1', `"a;'""=1"`, '"a;""=1"'],
  ['";＝1', `""";'＝1"`, '""";＝1"'],
  ["- pão, - leite; - café", `"'- pão, - leite; - café"`, `"'- pão, - leite; - café"`],
])("%j is written %j among commas, %j among semicolons", ([field, comma, semicolon]) => {
  expect(csvLine([field], "comma")).toBe(`${comma}\r\n`);
  expect(csvLine([field], "semicolon")).toBe(`${semicolon}\r\n`);
});

/** As a spreadsheet takes a file apart: quotes count at the beginning of a field alone. */
function cellsOf(text: string, sign: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[(at += 1)];
        else break;
      }
      at += 1;
    }
    for (; at < text.length && !`${sign}\r\n`.includes(text[at] ?? ""); at += 1) cell += text[at];
    at += 1;
    cells.push(cell);
  }
  return cells;
}

test("no cell begins a formula, whatever a spreadsheet takes for the separator", () => {
  const parts = ["a", '"', ",", ";", "\t", "\n", "\r\n", "=1+1", "-1", "@x", "'"];
  const texts = parts.flatMap((one) =>
    parts.flatMap((two) => parts.flatMap((three) => parts.map((four) => one + two + three + four))),
  );
  for (const separator of ["comma", "semicolon"] as const) {
    for (const sign of [",", ";", "\t"]) {
      const risen = texts.filter((text) =>
        cellsOf(csvLine(["id", text, "x"], separator), sign).some((cell) => /^[=+\-@]/.test(cell)),
      );
      expect([separator, sign, risen]).toEqual([separator, sign, []]);
    }
  }
});

test("a line has its fields in their order", () => {
  expect(csvLine(["a", 1, "", "b c"], "comma")).toBe("a,1,,b c\r\n");
  expect(csvLine(["a", 1, "", "b c"], "semicolon")).toBe("a;1;;b c\r\n");
});
