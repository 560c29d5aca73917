import { describe, expect, test } from "vitest";
import { textSchema } from "./text-schema.ts";
import {
  countCharacters,
  firstCharacters,
  textFlaw,
  type TextFlaw,
  type TextKind,
} from "./text.ts";

const kinds = ["line", "lines", "name"] as const;
const flawsOf = (text: string) =>
  Object.fromEntries(kinds.map((kind) => [kind, textFlaw(text, { kind, mostCharacters: 20 })]));
const everyKind = (flaw: TextFlaw | null) => ({ line: flaw, lines: flaw, name: flaw });

describe("textFlaw", () => {
  test.for([
    "",
    " ",
    "\u00a0\u3000",
    "\n",
    "\u200b",
    "\u2060\ufeff\u00ad",
    "\u200d\u200c",
    "\ufe0f",
    "\u115f\u3164\uffa0",
    "\u2800",
    "\ufffc",
    "\u{13441}\u{13442}\u{16fe4}\u{1d159}",
    "\u202e",
    "\ufffe\ufdd0\u{1fffe}\u{10ffff}",
    "\u{e0041}",
    "\u0000",
    "\ud83d",
  ])("%j has no visible character", (text) => {
    expect(flawsOf(text)).toEqual(everyKind("blank"));
    const mayBeEmpty = { kind: "lines", mostCharacters: 20, mayBeEmpty: true } as const;
    expect(textFlaw(text, mayBeEmpty)).toBe(text === "" ? null : "blank");
  });

  test.for([
    "x",
    "🔔",
    "👩‍🍳 pão",
    // The flag of Scotland.
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "กิน\u200bข้าว",
    "❤️",
    "می‌خواهم",
    "ไทย",
    "\ue000",
    // Unicode 17 has no such character. A later emoji may be this one.
    "\u{1faff}",
  ])("%j is visible", (text) => {
    expect(flawsOf(text)).toEqual(everyKind(null));
  });

  test.for(["Promo \ud83d", "\ude00 Promo", "a\ude00\ud83db"])(
    "%j has half a character",
    (text) => {
      expect(flawsOf(text)).toEqual(everyKind("cut-character"));
    },
  );

  test.for<[text: string, kinds: readonly TextKind[]]>([
    ["a\u0000", ["line", "lines", "name"]],
    ["a\tb", ["line", "lines", "name"]],
    ["a\u001b[2J", ["line", "lines", "name"]],
    ["a\rb", ["line", "lines", "name"]],
    ["a\u0085b", ["line", "lines", "name"]],
    ["a\nb", ["line", "name"]],
    ["a\u2028b", ["line", "name"]],
    ["a\u2029b", ["line", "name"]],
    // Arabic and Hebrew sentences need marks of direction. Beside a name stand other words.
    ["a\u202eb", ["name"]],
    ["a\u2067b\u2069", ["name"]],
    ["a\u200fb", ["name"]],
  ])("%j has a character that %j may not have", ([text, forbiddenIn]) => {
    const flawed = Object.fromEntries(forbiddenIn.map((kind) => [kind, "control-character"]));
    expect(flawsOf(text)).toEqual({ ...everyKind(null), ...flawed });
  });

  test("a bell counts as one character", () => {
    expect(countCharacters("🔔🔔")).toBe(2);
    expect(flawsOf("🔔".repeat(20))).toEqual(everyKind(null));
    expect(flawsOf(`${"🔔".repeat(20)}.`)).toEqual(everyKind("too-long"));
  });
});

describe("textSchema", () => {
  const line = textSchema({ kind: "line", mostCharacters: 20 });
  const lines = textSchema({ kind: "lines", mostCharacters: 20, mayBeEmpty: true });
  const messages = (schema: typeof line, text: string) =>
    schema.safeParse(text).error?.issues.map(({ message }) => message);

  test("trims a line, and makes each line break of several lines a line feed", () => {
    expect(line.parse(" Olá\n")).toBe("Olá");
    expect(lines.parse("a\r\nb\rc\n d ")).toBe("a\nb\nc\n d ");
    expect(lines.parse(" \r\n")).toBe("");
    expect(lines.parse("")).toBe("");
  });

  const visible = ["at least one visible character"];
  const whole = ["whole characters: half of an emoji stands alone (an unpaired surrogate)"];
  const lineExpected = [
    "one line of 1 to 20 characters, at least one of them visible, without control characters",
  ];
  const linesExpected = [
    "empty, or 1 to 20 characters, at least one of them visible, without control characters other than line breaks",
  ];
  test.for<[schema: typeof line, text: string, messages: string[]]>([
    [line, "", visible],
    [line, "\u200b", visible],
    [line, "a\ud83d", whole],
    [line, "a\tb", lineExpected],
    [line, "x".repeat(21), lineExpected],
    [lines, "\u200b", visible],
    [lines, "a\ud83d", whole],
    [lines, "a\tb", linesExpected],
    [lines, "x".repeat(21), linesExpected],
    [
      textSchema({ kind: "name", mostCharacters: 20, mayBeEmpty: true }),
      "a\u202eb",
      [
        "empty, or one line of 1 to 20 characters, at least one of them visible, without control characters or direction marks",
      ],
    ],
  ])("says once what is wrong: %#", ([schema, text, expected]) => {
    expect(messages(schema, text)).toEqual(expected);
  });
});

test("the first characters end with a whole one", () => {
  expect(firstCharacters("ab🔔🔔", 3)).toBe("ab🔔");
  expect(firstCharacters("ab", 3)).toBe("ab");
});
