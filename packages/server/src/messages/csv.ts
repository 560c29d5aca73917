/** Comma-separated values (RFC 4180), as spreadsheets and programs read them. */

/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Stands before all lines: without it, Excel reads no accents (the byte order mark, as UTF-8 has it). */
export const csvBeginning = "\uFEFF";

/**
 * One line, with its end. A text that a spreadsheet would calculate gets an apostrophe before it, so that it stays a text:
 * also a token that begins with `-`. Numbers stay numbers.
 */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map(fieldOf).join(",")}\r\n`;
}

function fieldOf(field: string | number): string {
  if (typeof field === "number") return String(field);
  const text = formula.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
