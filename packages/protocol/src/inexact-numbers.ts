/** A number in a JSON text that JavaScript reads as another one. */
export type InexactNumber = {
  /** Names and positions that lead to it. */
  path: string[];
  written: string;
  read: number;
};

/**
 * Finds the numbers of a JSON text that JavaScript changes when it parses them (RFC 8259, section 6). A number is kept if JavaScript
 * writes what it has read with the same digits: with as few as identify it, as JSON has them, or, of a number with a point or an
 * exponent, with as many significant digits as the text has, up to 100. So libraries may print a double with more digits than it needs,
 * such as 0.1 as 0.10000000000000001. An integer may not: 1234567890123456768 is a double, but JavaScript writes it as 1234567890123456800.
 * @param text valid JSON that does not nest deep: JSON.parse calls itself for each level
 */
export function inexactNumbers(text: string): InexactNumber[] {
  if (!mayHaveInexactNumbers(text)) return [];
  const byHolder = new Map<unknown, Map<string, Omit<InexactNumber, "path">>>();
  function reviver(
    this: unknown,
    key: string,
    value: unknown,
    context?: { source?: string },
  ): unknown {
    const written = context?.source;
    if (typeof value === "number" && written !== undefined && isInexact(written, value)) {
      const own = byHolder.get(this) ?? new Map<string, Omit<InexactNumber, "path">>();
      byHolder.set(this, own.set(key, { written, read: value }));
    }
    return value;
  }
  const whole: unknown = JSON.parse(text, reviver);
  return byHolder.size === 0 ? [] : withPaths(whole, byHolder);
}

/** Numbers of at most 15 digits without an exponent never change. */
export function mayHaveInexactNumbers(text: string): boolean {
  return /\d[\d.]{15}|\d[eE]/.test(text);
}

const shownCharacters = 40;

/** What is wrong with such a number, and what to do. */
export function inexactSentence({
  written,
  read,
}: Pick<InexactNumber, "written" | "read">): string {
  const shown =
    written.length > shownCharacters ? `${written.slice(0, shownCharacters)}…` : written;
  return `JavaScript reads ${shown} as ${read}: send it as a string`;
}

function withPaths(
  whole: unknown,
  byHolder: ReadonlyMap<unknown, ReadonlyMap<string, Omit<InexactNumber, "path">>>,
): InexactNumber[] {
  const numbers: InexactNumber[] = [];
  const queue: { holder: object; path: string[] }[] = [];
  const enqueue = (value: unknown, path: string[]) => {
    if (typeof value === "object" && value !== null) queue.push({ holder: value, path });
  };
  enqueue(whole, []);
  for (const { holder, path } of queue) {
    for (const [key, number] of byHolder.get(holder) ?? []) {
      numbers.push({ path: [...path, key], ...number });
    }
    for (const [key, value] of Object.entries(holder)) enqueue(value, [...path, key]);
  }
  return numbers;
}

/** JavaScript writes no more significant digits. */
const mostDigits = 100;

function isInexact(written: string, read: number): boolean {
  if (!Number.isFinite(read)) return true;
  const given = decimalOf(written);
  if (isSame(given, decimalOf(String(read)))) return false;
  const { length } = given.digits;
  if (!/[.e]/i.test(written) || length > mostDigits) return true;
  return !isSame(given, decimalOf(read.toPrecision(length)));
}

type Decimal = { digits: string; exponent: number };

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent;
}

/** Significant digits of a decimal number, and the power of ten that multiplies them. */
function decimalOf(number: string): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  let length = digits.length;
  while (digits[length - 1] === "0") length -= 1;
  if (length === 0) return { digits: "", exponent: 0 };
  return {
    digits: digits.slice(0, length),
    exponent: Number(exponent) - fraction.length + digits.length - length,
  };
}
