/** They hold letters and pictures together or apart, and obey nobody. */
const joiners: ReadonlySet<string> = new Set(["\u200c", "\u200d"]);

/** What a terminal would obey (control characters, and those that turn the direction of writing) becomes `?`. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (one) => (joiners.has(one) ? one : "?"));
}

/**
 * Rows as lines of text, each column as wide as its widest cell.
 * @param rows shown as far as they are printable
 */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = Array.from(
    { length: Math.max(0, ...rows.map((row) => row.length)) },
    (_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)),
  );
  const lines = shown.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return lines.map((cells) => `${cells.join("  ").trimEnd()}\n`).join("");
}

/** A moment as commands show it: to the second, in UTC. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

const titleCharacters = 40;
const segmenter = new Intl.Segmenter("pt");

/** A title as tables show it: cut by what a reader takes for one character, so that none is torn. */
export function shortened(title: string): string {
  const characters = Array.from(segmenter.segment(title), ({ segment }) => segment);
  return characters.length <= titleCharacters
    ? title
    : `${characters.slice(0, titleCharacters - 1).join("")}…`;
}
