/// <reference lib="esnext.temporal" />
import type { CsvLanguage, CsvSeparator } from "@sineta/protocol";
import * as english from "@sineta/protocol/words/en";
import * as spanish from "@sineta/protocol/words/es";
import * as portuguese from "@sineta/protocol/words/pt";
import { reasons as englishReasons } from "@sineta/protocol/words/reasons/en";
import { reasons as spanishReasons } from "@sineta/protocol/words/reasons/es";
import { reasons as portugueseReasons } from "@sineta/protocol/words/reasons/pt";
import { languageName } from "@sineta/protocol/words/language-name";
import { ianaZone } from "../registrations/time-zone.ts";

type Words = typeof portuguese;
/** Sets of words that tables have. */
type WordSet = Exclude<keyof Words, "columns" | "files">;
/** The tables that can be exported. */
export type CsvTable = keyof Words["files"];
export type ColumnName = keyof Words["columns"];

/** How an operator wants a table. */
export type CsvStyle = {
  separator: CsvSeparator;
  /** Language of the headings, states and reasons. Undefined: codes, as programs read them. */
  words?: CsvLanguage | undefined;
  /** An IANA name. Undefined: moments are in UTC, as ISO 8601 has them. */
  timeZone?: string | undefined;
};

export type Wording = {
  /** The time zone that moments are in, as the time zone database spells it; null for ISO 8601 in UTC. */
  zone: string | null;
  /** Whether the table is for people: false where it has codes. */
  hasWords: boolean;
  /** A column's name in the language. Without a language the column's own. */
  heading: (column: ColumnName) => string;
  /** What a code is called in the language. Without a language the code. */
  word: <Set extends WordSet>(set: Set, code: keyof Words[Set] & string) => string;
  /** What a reason of the server's catalogue is called. A reason without words stays a code. */
  reason: (code: string) => string;
  /** What a language is called. @param tag `pt`; also `other` and `unknown` */
  languageName: (tag: string) => string;
  /** Empty for null. With a time zone `2026-12-01 09:00:00`, which spreadsheets take for a moment. */
  moment: (ms: number | null) => string;
  /** A time of day without a zone, written as moments are. @param localTime `YYYY-MM-DDTHH:MM[:SS]` */
  localTime: (localTime: string | null) => string;
};

const dictionaries: Readonly<Record<CsvLanguage, { words: Words; reasons: Reasons }>> = {
  "pt-BR": { words: portuguese, reasons: portugueseReasons },
  en: { words: english, reasons: englishReasons },
  es: { words: spanish, reasons: spanishReasons },
};
type Reasons = typeof portugueseReasons;

export function createWording({ words, timeZone }: Omit<CsvStyle, "separator">): Wording {
  const zone = timeZone === undefined ? null : ianaZone(timeZone);
  const moments =
    zone === null
      ? { moment: isoMoment, localTime: (localTime: string) => localTime }
      : { moment: momentsIn(zone), localTime: spreadsheetTime };
  return {
    ...(words === undefined ? codes : wordsIn(words)),
    zone,
    moment: (ms) => (ms === null || !isMoment(ms) ? "" : moments.moment(ms)),
    localTime: (localTime) => (localTime === null ? "" : moments.localTime(localTime)),
  };
}

type Named = Omit<Wording, "zone" | "moment" | "localTime">;

const itself = (code: string) => code;
const codes: Named = {
  hasWords: false,
  heading: itself,
  word: (_set, code) => code,
  reason: itself,
  languageName: itself,
};

function wordsIn(language: CsvLanguage): Named {
  const { words, reasons } = dictionaries[language];
  const known = new Map<string, string>();
  return {
    hasWords: true,
    heading: (column) => words.columns[column],
    word(set, code) {
      const named: Readonly<Record<string, string>> = words[set];
      return named[code] ?? code;
    },
    reason: (code) => reasons[code]?.title ?? code,
    languageName(tag) {
      const name = known.get(tag) ?? languageName(tag, words.languages, language);
      known.set(tag, name);
      return name;
    },
  };
}

/** A damaged row may hold a number that is no date. */
function isMoment(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}

function isoMoment(ms: number): string {
  return new Date(ms).toISOString();
}

const quarterHourMs = 15 * 60 * 1000;

/**
 * Clocks change at full quarters of an hour of UTC. So the offset is worked out once for each: a table may have millions of
 * moments.
 */
function momentsIn(timeZone: string): (ms: number) => string {
  const offsets = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / quarterHourMs);
    let offsetMs = offsets.get(quarter);
    if (offsetMs === undefined) {
      const instant = Temporal.Instant.fromEpochMilliseconds(ms);
      offsetMs = instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;
      offsets.set(quarter, offsetMs);
    }
    return spreadsheetTime(isoMoment(ms + offsetMs));
  };
}

/** `2026-12-01T09:00:00.000Z` and `2026-12-01T09:00` as `2026-12-01 09:00:00`. */
function spreadsheetTime(text: string): string {
  const [day = "", time = ""] = text.split("T");
  return `${day} ${time.slice(0, 8).padEnd(8, ":00")}`;
}

/** What a table's file is called. @param of the project's name and the day, or the message's id */
export function csvFileName(table: CsvTable, of: string, words: CsvLanguage | undefined): string {
  const name = words === undefined ? table : dictionaries[words].words.files[table];
  return `sineta-${name}-${of}.csv`;
}
