/** Letters that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and those of old scripts. */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** First strong isolate, and the end of it. */
const [start, end] = ["\u2068", "\u2069"];
/** LRM, RLM and ALM; embeddings and overrides; isolates. */
const marks = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/g;

/**
 * Someone's words for a sentence of ours. Words that are written from right to left stand in an isolate, or they would
 * turn the full stop and the words behind them around (Unicode Standard Annex #9, section 2.4.2).
 */
export function isolated(words: string): string {
  return rightToLeft.test(words) ? `${start}${words.replaceAll(marks, "")}${end}` : words;
}
