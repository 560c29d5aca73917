import type { Texts } from "../../texts/texts.ts";

/** What a language is called, in the chosen one. @param tag `pt`; also `other` and `unknown` */
export function languageName(tag: string, { audience }: Texts, inLanguage: string): string {
  if (tag === "other" || tag === "unknown") return audience.languages[tag];
  const name = new Intl.DisplayNames(inLanguage, { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1);
}
