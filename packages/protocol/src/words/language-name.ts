/**
 * What a language is called, as a heading or a cell has it.
 * @param tag `pt`; also `other` and `unknown`
 * @param names of these two
 * @param inLanguage BCP 47 tag of the language in which it is called so
 */
export function languageName(
  tag: string,
  names: { other: string; unknown: string },
  inLanguage: string,
): string {
  if (tag === "other" || tag === "unknown") return names[tag];
  const name = new Intl.DisplayNames(inLanguage, { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(inLanguage) + name.slice(1);
}
