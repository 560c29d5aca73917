import { normalLines, textFlaw, type TextRule } from "@sineta/protocol/text";

/** Replaces control characters, such as pasted tabs, with spaces: the server refuses them. */
export function tidyLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** Like `tidyLine`, but keeps line breaks, and the outer spaces of a text that is not blank. */
export function tidyLines(text: string): string {
  return normalLines(text).replaceAll(/[^\P{Cc}\n]+/gu, " ");
}

/** Like `tidyLine`, without the direction marks that some programs put around a copied name. */
export function tidyName(text: string): string {
  return tidyLine(text.replaceAll(/\p{Bidi_Control}/gu, ""));
}

/** What is wrong with a tidy text, for the dictionary; null if nothing is. */
export function flawOfText(
  text: string,
  rule: TextRule,
): "missing" | "too-long" | "cut-character" | "wrong" | null {
  const flaw = textFlaw(text, rule);
  if (flaw === "blank") return "missing";
  return flaw === "control-character" ? "wrong" : flaw;
}
