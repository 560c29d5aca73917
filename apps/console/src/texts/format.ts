import type { CsvSeparator } from "@sineta/protocol";
import type { Language } from "./language.ts";

/** Numbers and times as a language writes them; moments are ISO 8601 or epoch milliseconds, shown in this browser's time zone. */
export type Format = {
  number(value: number): string;
  /** With its sign: "+244". */
  change(value: number): string;
  /** In few letters, for an axis: "1,5 mil", "2 mi". */
  compact(value: number): string;
  /** A share with a decimal. What is nearly all never reads as all, and what is nearly nothing reads as "<0,1%". @param share from 0 to 1 */
  percent(share: number): string;
  /** A share as people say it: "33%", and with a decimal below ten percent. Ends as `percent` has them. @param share from 0 to 1 */
  rate(share: number): string;
  bytes(count: number): string;
  date(moment: string | number): string;
  time(moment: string | number): string;
  dateTime(moment: string | number): string;
  /** With seconds and the time zone. */
  exact(moment: string | number): string;
  /** As people say it: "hoje, 09:03", "4 nov, 18:00". Portuguese says a full hour that is still to come in short: "amanhã, 9h". */
  when(moment: string | number, nowMs: number): string;
  /** The same after a verb, with a preposition before a date: "ontem, 9:00", "em 4 nov, 18:00". */
  on(moment: string | number, nowMs: number): string;
  /** How long something took, in one unit or two: "0,4 s", "41 s", "1 min 20 s", "2 dias 3 h". */
  duration(ms: number): string;
  /** A time span in full words, exactly: "28 dias", "2 horas e 5 minutos". @param seconds whole ones */
  span(seconds: number): string;
  /** "quinta-feira". */
  weekday(moment: string | number): string;
  /** "24 out". */
  shortDay(moment: string | number): string;
  /** "há 5 minutos", "em 2 dias". */
  relative(moment: string | number, nowMs: number): string;
  /** What stands between thousands, and before decimals. */
  separators: { thousand: string; decimal: string };
  /** What spreadsheets of the language expect between the fields of a CSV file. */
  csvSeparator: CsvSeparator;
};

type Step = readonly [Intl.RelativeTimeFormatUnit, number];

const steps: readonly Step[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

const dayMs = 86_400_000;
/** What is longer than some days. The lengths are averages. */
const longSteps: readonly Step[] = [
  ["year", 365.25 * dayMs],
  ["month", 30.44 * dayMs],
];
/** Below it a duration has a decimal. */
const fewMs = 10_000;

/** Before the date on which something happened. */
const prepositions: Readonly<Record<Language, string>> = { "pt-BR": "em", es: "el", en: "on" };

export function createFormat(language: Language): Format {
  const number = new Intl.NumberFormat(language);
  const change = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
  const compact = new Intl.NumberFormat(language, { notation: "compact" });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const wholePercent = new Intl.NumberFormat(language, { style: "percent" });
  const bytes = new Intl.NumberFormat(language, {
    style: "unit",
    unit: "byte",
    unitDisplay: "long",
  });
  const percentOf = (share: number) => {
    if (share > 0 && share < 0.0005) return `<${percent.format(0.001)}`;
    return percent.format(share < 1 ? Math.min(share, 0.999) : 1);
  };
  const spanOf = (unit: string, count: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(
      count,
    );
  const inWords = (unit: string, count: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "long" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const counted = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  const weekday = new Intl.DateTimeFormat(language, { weekday: "long" });
  const dayParts = { day: "numeric", month: "short" } as const;
  const day = new Intl.DateTimeFormat(language, dayParts);
  const dayOfYear = new Intl.DateTimeFormat(language, { ...dayParts, year: "numeric" });
  const separatorOf = (kind: "group" | "decimal") =>
    number.formatToParts(1_000_000.5).find(({ type }) => type === kind)?.value ?? "";
  const separators = { thousand: separatorOf("group"), decimal: separatorOf("decimal") };
  function when(moment: string | number, nowMs: number): string {
    const [at, now] = [new Date(moment), new Date(nowMs)];
    const byDays = daysBetween(nowMs, moment);
    const isThisYear = at.getFullYear() === now.getFullYear();
    const dayText =
      Math.abs(byDays) <= 1
        ? relative.format(byDays, "day")
        : inFewLetters((isThisYear ? day : dayOfYear).format(at));
    const isFullHour = at.getMinutes() === 0 && at.getTime() > nowMs;
    const timeText = isFullHour && language === "pt-BR" ? `${at.getHours()}h` : time.format(at);
    return `${dayText}, ${timeText}`;
  }
  return {
    // As Windows has it: a list cannot be separated by what stands before decimals.
    csvSeparator: separators.decimal === "," ? "semicolon" : "comma",
    separators,
    number: (value) => number.format(value),
    change: (value) => change.format(value),
    compact: (value) => compact.format(value),
    percent: percentOf,
    rate: (share) =>
      share < 0.1 ? percentOf(share) : wholePercent.format(share < 1 ? Math.min(share, 0.99) : 1),
    bytes: (count) => bytes.format(count),
    date: (moment) => date.format(new Date(moment)),
    time: (moment) => time.format(new Date(moment)),
    exact: (moment) => exact.format(new Date(moment)),
    dateTime: (moment) => dateTime.format(new Date(moment)),
    when,
    on: (moment, nowMs) =>
      Math.abs(daysBetween(nowMs, moment)) <= 1
        ? when(moment, nowMs)
        : `${prepositions[language]} ${when(moment, nowMs)}`,
    duration(ms) {
      if (ms < fewMs) return spanOf("second", Math.max(0, ms) / 1_000);
      let leftMs = Math.round(ms / 1_000) * 1_000;
      const counts = steps.map(([unit, size]) => {
        const count = Math.floor(leftMs / size);
        leftMs %= size;
        return { unit, count };
      });
      const first = counts.findIndex(({ count }) => count > 0);
      return counts
        .slice(first, first + 2)
        .filter(({ count }) => count > 0)
        .map(({ unit, count }) => spanOf(unit, count))
        .join(" ");
    },
    span(seconds) {
      let leftMs = Math.max(0, seconds) * 1_000;
      const parts = steps.flatMap(([unit, size]) => {
        const count = Math.floor(leftMs / size);
        leftMs %= size;
        return count === 0 ? [] : [inWords(unit, count)];
      });
      return parts.length === 0 ? inWords("second", 0) : list.format(parts);
    },
    weekday: (moment) => weekday.format(new Date(moment)),
    shortDay: (moment) => inFewLetters(day.format(new Date(moment))),
    relative(moment, nowMs) {
      const byMs = new Date(moment).getTime() - nowMs;
      const fits = ([, size]: Step) => Math.abs(byMs) >= size;
      const [unit, size] = [...longSteps, ...steps].find(fits) ?? ["second", 1_000];
      // "23 hours ago" are over. "In 24 hours" may lack a minute.
      const count = byMs < 0 ? Math.ceil(byMs / size) : Math.round(byMs / size);
      // "Last month" is not a month ago.
      return (size > dayMs ? counted : relative).format(count, unit);
    },
  };
}

/** In this browser's time zone, whatever the times of day. */
function daysBetween(from: string | number, to: string | number): number {
  return Math.round((startOfDay(new Date(to)) - startOfDay(new Date(from))) / dayMs);
}

/** In this browser's time zone, in milliseconds since 1970. */
function startOfDay(moment: Date): number {
  return new Date(moment).setHours(0, 0, 0, 0);
}

/** Portuguese has "24 de out." for it, and "24 de out. de 2025". */
function inFewLetters(day: string): string {
  return day.replaceAll(" de ", " ").replaceAll(".", "");
}
