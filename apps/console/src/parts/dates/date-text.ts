import type { Language } from "../../texts/language.ts";
import { dateOf, dayAfter, isDay, isoOf, two } from "./day.ts";

export type Nearest = "next" | "last";

/** Days and times as people type them in a language. A day is `YYYY-MM-DD`, a time `HH:MM`, both without a zone. */
export type DateText = {
  /** "02/12/2026". */
  day: (iso: string) => string;
  /** "09:00". */
  time: (time: string) => string;
  /**
   * Reads what the language writes, and less of it: "2/12", "0212", "2 dez", "amanhã".
   * @param nearest which day it is without a year: the next one from today on, or the last one
   * @returns null: it is no day
   */
  readDay: (typed: string, today: string, nearest: Nearest) => string | null;
  /** Reads "9", "9h", "9h30", "0930", "9 pm". @returns null: it is no time */
  readTime: (typed: string) => string | null;
};

/** "9", "9h", "9 horas", "às 9h30", "9:30", "9.30", "930", "9h30min", "9 pm", "9:30 p.m.". */
const timePattern =
  /^(?:(?:as|a las|at) )?(\d\d?) ?(?:[:.,]|h(?:s|rs?|oras?)?)? ?(\d\d)? ?(?:h|min)? ?(?:([ap])\.? ?(?:m\.?)?)?$/;

const made = new Map<Language, DateText>();

export function dateTextOf(language: Language): DateText {
  const known = made.get(language) ?? createDateText(language);
  made.set(language, known);
  return known;
}

function createDateText(language: Language): DateText {
  const numeric = new Intl.DateTimeFormat(language, {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
  });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const isMonthFirst = numeric.formatToParts(0)[0]?.type === "month";
  const monthName = new Intl.DateTimeFormat(language, { month: "long" });
  const months = Array.from({ length: 12 }, (_, month) =>
    plain(monthName.format(new Date(2026, month))),
  );
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const nearDays = new Map([-2, -1, 0, 1, 2].map((by) => [plain(relative.format(by, "day")), by]));

  /** Year, month and day, as far as they are typed. Null: it is something else. */
  function partsIn(text: string): { year?: string; month: number; day: number } | null {
    const iso = /^(\d{4})[-/](\d\d?)[-/](\d\d?)$/.exec(text);
    if (iso !== null) return partsOf(iso[1], iso[2], iso[3]);
    const numbers =
      /^(\d\d?)[-/. ](\d\d?)(?:[-/. ](\d{4}|\d\d))?$/.exec(text) ??
      /^(\d\d)(\d\d)(\d{4}|\d\d)?$/.exec(text);
    if (numbers !== null) {
      const [, first, second, year] = numbers;
      return isMonthFirst ? partsOf(year, first, second) : partsOf(year, second, first);
    }
    const words =
      /^(?<day>\d\d?)(?: de)? (?<name>\p{L}{3,})\.?(?:(?:,| de)? (?<year>\d{4}|\d\d))?$/u.exec(
        text,
      ) ?? /^(?<name>\p{L}{3,})\.? (?<day>\d\d?)(?:,? (?<year>\d{4}))?$/u.exec(text);
    if (words === null) return null;
    const { name = "", day, year } = words.groups ?? {};
    const month = months.findIndex((each) => each.startsWith(name)) + 1;
    return month === 0 ? null : partsOf(year, String(month), day);
  }

  function readDay(typed: string, today: string, nearest: Nearest): string | null {
    const text = plain(typed);
    const by = nearDays.get(text);
    if (by !== undefined) return isoOf(dayAfter(today, by));
    const parts = partsIn(text);
    if (parts === null) return null;
    const { year, month, day } = parts;
    if (year === undefined) return nearestDay(month, day, today, nearest);
    return dayOf(year.length === 2 ? 2_000 + Number(year) : Number(year), month, day);
  }

  return {
    day: (iso) => numeric.format(dateOf(iso)),
    time: (hours) => time.format(new Date(`2026-01-01T${hours}`)),
    readDay,
    readTime(typed) {
      const [, hour, minute = "0", half] = timePattern.exec(plain(typed)) ?? [];
      if (hour === undefined || Number(minute) > 59) return null;
      const hours = half === undefined ? Number(hour) : hoursOf(Number(hour), half === "p");
      return hours === null || hours > 23 ? null : `${two(hours)}:${minute.padStart(2, "0")}`;
    },
  };
}

function partsOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): { year?: string; month: number; day: number } {
  return { ...(year === undefined ? {} : { year }), month: Number(month), day: Number(day) };
}

function hoursOf(hour: number, isAfternoon: boolean): number | null {
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (isAfternoon ? 12 : 0);
}

function nearestDay(month: number, day: number, today: string, nearest: Nearest): string | null {
  const year = Number(today.slice(0, 4));
  // 29 February may be up to eight years away, around a century without a leap year.
  const years = Array.from({ length: 9 }, (_, by) => (nearest === "next" ? year + by : year - by));
  const days = years.map((each) => dayOf(each, month, day)).filter((each) => each !== null);
  return days.find((each) => (nearest === "next" ? each >= today : each <= today)) ?? null;
}

function dayOf(year: number, month: number, day: number): string | null {
  const found = [year, two(month), two(day)].join("-");
  return isDay(found) ? found : null;
}

function plain(text: string): string {
  const letters = text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  return letters.replaceAll(/\s+/g, " ");
}
