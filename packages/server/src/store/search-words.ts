/** How texts and searches are cut into words. Where a script has no spaces, each pair of characters is a word. */

/** Words that stand side by side in a text. */
export type Phrase = {
  words: string[];
  /** Whether the last word only needs to begin a word of the text. */
  isPrefix: boolean;
};

/** Letters, marks, digits, and characters for private use. */
const inWords = String.raw`\p{L}\p{M}\p{N}\p{Co}`;

/**
 * Scripts that people write without spaces between words: of those in the classes SA, ID and AK (Unicode Standard Annex #14, table
 * 1) the ones that live, and Tibetan. Korean has spaces, and people leave them out at will.
 */
const unspacedScripts =
  "Hani Hira Kana Bopo Hang Yiii Thai Laoo Khmr Mymr Tibt Tale Talu Lana Tavt Ahom Bali Java"
    .split(" ")
    .map((script) => `\\p{scx=${script}}`)
    .join("");
const unspaced = `[[${unspacedScripts}]&&[\\p{L}\\p{M}\\p{Nl}\\p{No}]]`;

/** U+200B says where a line may break. A run without spaces goes on behind it; other words end there. */
const lineBreak = "\u200b";
/** The soft hyphen, the two that join characters or keep them apart, and two marks without width. */
const joiners = "\u00ad\u200d\u200c\u2060\ufeff";

const spaceInRun = new RegExp(`(?<=${unspaced})\\p{Zs}+(?=${unspaced})`, "gv");
const piece = new RegExp(`[${inWords}${lineBreak}]+`, "gv");
const part = new RegExp(`(?<run>[${unspaced}${lineBreak}]+)|[[${inWords}]--${unspaced}]+`, "gv");

/** What separates words: signs, pictures, and the three marks that make a picture of a character. */
const sign = new RegExp(`[^${inWords}${lineBreak}${joiners}]|[\ufe0e\ufe0f\u20e3]`, "gv");

/** Accents, and the vowel points of Hebrew and Arabic. The two marks of kana are left: they make other syllables. */
const accent = /(?!\u3099|\u309a)[[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]&&\p{M}]/gv;

/** U+200C parts the words of Persian, and no others. U+0640 stretches an Arabic word. */
const withinWord = new RegExp(`(?!(?<=\\p{sc=Arab})\u200c)[${joiners}\u0640]`, "gv");

/**
 * Letters that have an accent within them (CLDR, "Latin-ASCII"), or differ by keyboard (Lucene, `ArabicNormalizer` and
 * `PersianNormalizer`).
 */
const plainLetters: Readonly<Record<string, string>> = {
  đ: "d",
  ð: "d",
  ħ: "h",
  ł: "l",
  ø: "o",
  æ: "ae",
  œ: "oe",
  þ: "th",
  // The only letter whose small form depends on where it stands.
  ς: "σ",
  ك: "ک",
  ي: "ی",
  ى: "ی",
  ة: "ه",
};
const letterToFold = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "gv");

/** The words of a text, in their order: `Pão` is `pao`, and `新しい` is `新し しい い`. */
export function wordsOf(text: string): string[] {
  return piecesOf(text.replaceAll(spaceInRun, "")).flat(2);
}

/**
 * What a text must have to be found: each of the phrases, wherever it stands. There is none if the search has only signs and
 * pictures.
 */
export function phrasesOf(search: string): Phrase[] {
  return piecesOf(search).map((parts) => {
    const words = parts.flat();
    const endsWithPairs = (parts.at(-1) ?? []).length > 1;
    // The last character is no word of the text if the text goes on behind it.
    if (endsWithPairs) words.pop();
    return { words, isPrefix: !endsWithPairs };
  });
}

/** What stands between spaces and signs, part by part: a part is one word, or the pairs of a run without spaces. */
function piecesOf(text: string): string[][][] {
  return [...fold(text).matchAll(piece)]
    .map(([found]) =>
      [...found.matchAll(part)]
        .map(({ 0: word, groups }) => (groups?.["run"] === undefined ? [word] : pairsOf(word)))
        .filter((words) => words.length > 0),
    )
    .filter((parts) => parts.length > 0);
}

/** Each character with the one after it; the last one is alone. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run.replaceAll(lineBreak, ""));
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

/** Without signs, case, accents, and the width of characters; digits are those of ASCII. */
function fold(text: string): string {
  return (
    text
      // Before `normalize`, which spells signs such as № and ™ with letters.
      .replaceAll(sign, " ")
      .normalize("NFKD")
      .replaceAll(accent, "")
      .replaceAll(withinWord, "")
      // ẞ has no capital letter but itself: it becomes ß, then SS, then ss. The ı of Turkish becomes I, then i.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll(letterToFold, (letter) => plainLetters[letter] ?? letter)
      .replaceAll(/[\p{Nd}--[0-9]]/gv, asciiDigit)
      .normalize("NFKC")
  );
}

/** The ten digits of a script follow each other, from zero on (Unicode Standard, section 4.6). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}
