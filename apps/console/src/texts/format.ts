import type { CsvSeparator } from "@sineta/protocol";
import type { Language } from "./language.ts";

/** Numbers and times as a language writes them; moments are ISO 8601 or epoch milliseconds, shown in this browser's time zone. */
export type Format = {
  number(value: number): string;
  /** @param share from 0 to 1 */
  percent(share: number): string;
  bytes(count: number): string;
  date(moment: string | number): string;
  time(moment: string | number): string;
  dateTime(moment: string | number): string;
  /** "há 5 minutos", "em 2 dias". */
  relative(moment: string | number, nowMs: number): string;
  /** What spreadsheets of the language expect between the fields of a CSV file. */
  csvSeparator: CsvSeparator;
};

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

export function createFormat(language: Language): Format {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const bytes = new Intl.NumberFormat(language, {
    style: "unit",
    unit: "byte",
    unitDisplay: "long",
  });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const decimal = number.formatToParts(0.5).find(({ type }) => type === "decimal")?.value;
  return {
    // As Windows has it: a list cannot be separated by what stands before decimals.
    csvSeparator: decimal === "," ? "semicolon" : "comma",
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    bytes: (count) => bytes.format(count),
    date: (moment) => date.format(new Date(moment)),
    time: (moment) => time.format(new Date(moment)),
    dateTime: (moment) => dateTime.format(new Date(moment)),
    relative(moment, nowMs) {
      const byMs = new Date(moment).getTime() - nowMs;
      const [unit, size] = steps.find(([, step]) => Math.abs(byMs) >= step) ?? ["second", 1_000];
      return relative.format(Math.trunc(byMs / size), unit);
    },
  };
}
