import { limits } from "./limits.ts";

/** What a text is for. A name is shown inside other sentences, so it may not contain direction marks. */
export type TextKind = "line" | "lines" | "name";

/** What can be wrong with a text that people read. */
export type TextFlaw = "blank" | "too-long" | "cut-character" | "control-character";

export type TextRule = { kind: TextKind; mostCharacters: number; mayBeEmpty?: boolean };

/** The texts that people read. */
export const textRules: Record<
  "title" | "body" | "actionTitle" | "operatorName" | "displayName" | "apiKeyName" | "userId",
  TextRule
> = {
  title: { kind: "line", mostCharacters: limits.titleCharacters },
  body: { kind: "lines", mostCharacters: limits.bodyCharacters, mayBeEmpty: true },
  actionTitle: { kind: "line", mostCharacters: limits.actionTitleCharacters },
  operatorName: { kind: "name", mostCharacters: limits.operatorNameCharacters },
  displayName: { kind: "name", mostCharacters: limits.displayNameCharacters, mayBeEmpty: true },
  apiKeyName: { kind: "name", mostCharacters: limits.apiKeyNameCharacters, mayBeEmpty: true },
  userId: { kind: "name", mostCharacters: limits.userIdCharacters },
};

/**
 * Of a character class of a regular expression: characters that show nothing, but for white space. Unicode's properties do not cover the
 * last six: Braille without dots, the object replacement character, and fillers of scripts and of music.
 */
export const invisible: string = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}`;

const visible = RegExp(`[^\\s${invisible}]`, "u");

const forbidden: Record<TextKind, RegExp> = {
  line: /[\p{Cc}\u2028\u2029]/u,
  lines: /[^\P{Cc}\n]/u,
  name: /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u,
};

/** @returns what is wrong with a text that people read; null if nothing is */
export function textFlaw(
  text: string,
  { kind, mostCharacters, mayBeEmpty = false }: TextRule,
): TextFlaw | null {
  if (text === "" ? !mayBeEmpty : !visible.test(text)) return "blank";
  if (countCharacters(text) > mostCharacters) return "too-long";
  if (!text.isWellFormed()) return "cut-character";
  return forbidden[kind].test(text) ? "control-character" : null;
}

const without: Record<TextKind, string> = {
  line: "without control characters",
  lines: "without control characters other than line breaks",
  name: "without control characters or direction marks",
};

/** What `textFlaw` expects, for a sentence. */
export function textExpected({ kind, mostCharacters, mayBeEmpty = false }: TextRule): string {
  const empty = mayBeEmpty ? "empty, or " : "";
  const line = kind === "lines" ? "" : "one line of ";
  return `${empty}${line}1 to ${mostCharacters} characters, at least one of them visible, ${without[kind]}`;
}

/** Several lines with line feeds alone between them; empty if they have only white space. */
export function normalLines(text: string): string {
  return text.trim() === "" ? "" : text.replaceAll(/\r\n?/g, "\n");
}

/** Counts Unicode characters: 🔔 is one. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Returns the first `count` Unicode characters. */
export function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join("");
}
