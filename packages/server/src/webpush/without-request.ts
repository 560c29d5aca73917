/** What leads to a browser is this long at least: fewer letters and digits of an endpoint are words, such as `send`. */
const tellingLetters = 12;

/** The ways in which URLs, HTML and JSON write a character; URLs also more than once. */
const escape =
  /%(?:25)*([0-9a-f]{2})|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));|\\[ux](?:00)?([0-9a-f]{2})/iy;

/** What may belong to a token that has been found beside it. */
const besideToken = /[\w%+~-]/;

/** Of what is left: an outcome keeps 200 of them. */
const mostCharacters = 1_000;

/**
 * Hides the parts of the request that must not reach a log, a detail or an export: the segments of the endpoint that lead
 * to a browser, and the VAPID token. Push services repeat them as they were asked, decoded, encoded otherwise, folded or
 * cut off. So the comparison reads letters and digits alone, and hides wherever twelve follow each other as in the
 * endpoint.
 * @param text what a push service answered
 * @param path the endpoint's path and query
 * @returns at most 1,000 characters
 */
export function withoutRequest(text: string, path: string): string {
  const { letters, starts, ends } = lettersOf(text);
  const telling = letters.length < tellingLetters ? "" : tellingLettersOf(path);
  let shown = "";
  let shownTo = 0;
  for (let index = 0; index + tellingLetters <= letters.length; index += 1) {
    if (shown.length + (starts[index] ?? 0) - shownTo > mostCharacters) break;
    if (!telling.includes(letters.slice(index, index + tellingLetters))) continue;
    let from = starts[index] ?? 0;
    if (from > shownTo || shown === "") {
      while (from > shownTo && besideToken.test(text[from - 1] ?? "")) from -= 1;
      shown += `${text.slice(shownTo, from)}...`;
    }
    shownTo = Math.max(shownTo, ends[index + tellingLetters - 1] ?? 0);
    while (shownTo < text.length && besideToken.test(text[shownTo] ?? "")) shownTo += 1;
  }
  const rest = text.slice(shownTo, shownTo + mostCharacters);
  return `${shown}${rest}`.slice(0, mostCharacters).replaceAll(/eyJ[\w%.-]+/g, "...");
}

/** The letters and digits of each segment of the path and of each value of the query, with a space between them. */
function tellingLettersOf(path: string): string {
  const [segments = "", ...query] = path.split("?");
  const values = query.join("?").split("&");
  const parts = [
    ...segments.split("/"),
    ...values.map((value) => value.slice(value.indexOf("=") + 1)),
  ];
  return parts.map((part) => lettersOf(part).letters).join(" ");
}

/** The letters and digits of a text in lower case, decoded, and where in the text each of them starts and ends. */
function lettersOf(text: string): { letters: string; starts: number[]; ends: number[] } {
  let letters = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let end = 0;
  for (let start = 0; start < text.length; start = end) {
    end = start + 1;
    let code = text.charCodeAt(start);
    if (code === 0x25 || code === 0x26 || code === 0x5c) {
      escape.lastIndex = start;
      const match = escape.exec(text);
      if (match === null) continue;
      end = escape.lastIndex;
      code = decoded(match);
    }
    if (!isLetter(code)) continue;
    letters += String.fromCharCode(code);
    starts.push(start);
    ends.push(end);
  }
  return { letters: letters.toLowerCase(), starts, ends };
}

function decoded([, percent, html, decimal, json]: RegExpExecArray): number {
  const hex = percent ?? html ?? json;
  return hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
}

/** Or a digit, of ASCII. */
function isLetter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39)
  );
}
