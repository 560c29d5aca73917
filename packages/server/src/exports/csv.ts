/**
 * Values separated by commas (RFC 4180), as programs read them, or by semicolons, as spreadsheets expect them in languages that
 * write a comma before decimals. A first line `sep=;` would tell a spreadsheet so, too; but Excel then no longer heeds the mark
 * that says UTF-8, and programs take that line for a heading.
 */
import type { CsvSeparator } from "@sineta/protocol";

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/**
 * Where another cell would begin with a formula, for a spreadsheet that separates by something else than the file: quotes do not
 * keep a text together then, and those before a formula may be taken for an empty text.
 */
const innerFormulas = {
  comma: /[;\t\r\n](?="*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/g,
  semicolon: /[,\t\r\n](?="*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/g,
} as const;

const signs = { comma: ",", semicolon: ";" } as const;

/** Stands before all lines: without it, Excel reads no accents (the byte order mark, as UTF-8 has it). */
export const csvBeginning = "\uFEFF";

/**
 * One line, with its end. A text that a spreadsheet would calculate gets an apostrophe before it, so that it stays a text:
 * also a token that begins with `-`; and so does what would be a cell of its own where the file is separated by something else than
 * it is. Numbers stay numbers.
 */
export function csvLine(fields: readonly (string | number)[], separator: CsvSeparator): string {
  return `${fields.map((field) => fieldOf(field, separator)).join(signs[separator])}\r\n`;
}

function fieldOf(field: string | number, separator: CsvSeparator): string {
  if (typeof field === "number") return String(field);
  // Spreadsheet programs treat a file with a NUL as binary.
  const readable = field.replaceAll(/[^\P{Cc}\t\r\n]/gu, "\uFFFD");
  const whole = formula.test(readable) ? `'${readable}` : readable;
  const text = whole.replaceAll(innerFormulas[separator], "$&'");
  // Quoted for either separator: LibreOffice asks which, and may split at both.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
