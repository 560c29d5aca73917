/// <reference lib="esnext.temporal" />
import type { CsvLanguage, CsvSeparator } from "@sineta/protocol";
import * as english from "@sineta/protocol/words/en";
import * as spanish from "@sineta/protocol/words/es";
import * as portuguese from "@sineta/protocol/words/pt";
import { reasons as englishReasons } from "@sineta/protocol/words/reasons/en";
import { reasons as spanishReasons } from "@sineta/protocol/words/reasons/es";
import { reasons as portugueseReasons } from "@sineta/protocol/words/reasons/pt";

type Words = typeof portuguese;
/** Sets of words that tables have. */
type WordSet = Exclude<keyof Words, "columns" | "files">;
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
  const moments =
    timeZone === undefined
      ? { moment: isoMoment, localTime: (localTime: string) => localTime }
      : { moment: momentsIn(timeZone), localTime: spreadsheetTime };
  return {
    ...(words === undefined ? codes : wordsIn(words)),
    moment: (ms) => (ms === null ? "" : moments.moment(ms)),
    localTime: (localTime) => (localTime === null ? "" : moments.localTime(localTime)),
  };
}

type Named = Omit<Wording, "moment" | "localTime">;

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
  const names = new Intl.DisplayNames(language, { type: "language", fallback: "code" });
  const known = new Map<string, string>(Object.entries(words.languages));
  return {
    hasWords: true,
    heading: (column) => words.columns[column],
    word(set, code) {
      const named: Readonly<Record<string, string>> = words[set];
      return named[code] ?? code;
    },
    reason: (code) => reasons[code]?.title ?? code,
    languageName(tag) {
      const name = known.get(tag) ?? capitalized(names.of(tag) ?? tag, language);
      known.set(tag, name);
      return name;
    },
  };
}

function capitalized(name: string, language: CsvLanguage): string {
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
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

/** What a table's file is called. @param of the project's name, or the message's id */
export function csvFileName(
  table: keyof Words["files"],
  of: string,
  language: CsvLanguage | undefined,
): string {
  const name = language === undefined ? table : dictionaries[language].words.files[table];
  return `sineta-${name}-${of}.csv`;
}
