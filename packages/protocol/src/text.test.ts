import { describe, expect, test } from "vitest";
import { textSchema } from "./text-schema.ts";
import { countCharacters, textFlaw, type TextFlaw, type TextKind } from "./text.ts";

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
    "\u202e",
    "\u{e0041}",
    "\u0000",
    "\ud83d",
  ])("%j has no visible character", (text) => {
    expect(flawsOf(text)).toEqual(everyKind("blank"));
    expect(textFlaw(text, { kind: "lines", mostCharacters: 20, mayBeBlank: true })).not.toBe(
      "blank",
    );
  });

  test.for([
    "x",
    "🔔",
    "👩‍🍳 pão",
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
    ["a\u200bb", ["name"]],
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
  const lines = textSchema({ kind: "lines", mostCharacters: 20, mayBeBlank: true });
  const messages = (schema: typeof line, text: string) =>
    schema.safeParse(text).error?.issues.map(({ message }) => message);

  test("drops spaces around a line, and makes each line break of several lines a line feed", () => {
    expect(line.parse(" Olá\n")).toBe("Olá");
    expect(lines.parse("a\r\nb\rc\n d ")).toBe("a\nb\nc\n d ");
    expect(lines.parse("")).toBe("");
  });

  test("says each flaw once, in a sentence", () => {
    expect(messages(line, "\u200b")).toEqual(["at least one visible character"]);
    expect(messages(line, "a\ud83d")).toEqual([
      "whole characters: half of one, such as of an emoji, stands alone",
    ]);
    expect(messages(line, "a\tb")).toEqual(["one line without control characters"]);
    expect(messages(lines, "a\tb")).toEqual(["no control characters but line breaks"]);
    expect(messages(textSchema({ kind: "name", mostCharacters: 20 }), "a\u202eb")).toEqual([
      "one line without control characters and marks of direction",
    ]);
    expect(messages(line, "")).toHaveLength(1);
    expect(messages(line, "x".repeat(21))).toHaveLength(1);
  });
});
