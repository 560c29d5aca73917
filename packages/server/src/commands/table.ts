/**
 * Rows as lines of text, each column as wide as its widest cell.
 * @param rows what a terminal would obey (control characters) is shown as `?`
 */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, "?")));
  const widths = Array.from(
    { length: Math.max(0, ...rows.map((row) => row.length)) },
    (_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)),
  );
  const lines = shown.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return lines.map((cells) => `${cells.join("  ").trimEnd()}\n`).join("");
}
