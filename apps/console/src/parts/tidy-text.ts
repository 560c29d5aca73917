/** What is pasted may bring tabs and other control characters, which nobody sees and no text may have: they become spaces. */
export function tidyLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

/** The same, but line breaks stay. */
export function tidyLines(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n]+/gu, " ");
}
