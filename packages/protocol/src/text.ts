/** What a text is for. A name stands beside other words, so it must not turn their direction. */
export type TextKind = "line" | "lines" | "name";

/** What can be wrong with a text that people read. */
export type TextFlaw = "blank" | "too-long" | "cut-character" | "control-character";

export type TextRule = { kind: TextKind; mostCharacters: number; mayBeBlank?: boolean };

// U+2800 is a Braille character without dots.
const visible = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

const forbidden: Record<TextKind, RegExp> = {
  line: /[\p{Cc}\u2028\u2029]/u,
  lines: /[^\P{Cc}\n]/u,
  // Two of \p{Cf} join the letters of Persian words and the parts of an emoji.
  name: /[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/u,
};

/** @returns what is wrong with a text that people read; null if nothing is */
export function textFlaw(
  text: string,
  { kind, mostCharacters, mayBeBlank = false }: TextRule,
): TextFlaw | null {
  if (!mayBeBlank && !visible.test(text)) return "blank";
  if (countCharacters(text) > mostCharacters) return "too-long";
  if (!text.isWellFormed()) return "cut-character";
  return forbidden[kind].test(text) ? "control-character" : null;
}

/** Characters as Unicode counts them: a bell is one. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
