/** A number in a JSON text that JavaScript reads as another one. */
export type InexactNumber = {
  /** Names and positions that lead to it. */
  path: string[];
  written: string;
  read: number;
};

/**
 * Finds the numbers of a JSON text that JavaScript changes when it parses them: integers that it rounds, and numbers that overflow
 * to Infinity or underflow to 0 (RFC 8259, section 6). A number with a point or an exponent may have 17 digits, because libraries
 * print doubles with 17 digits.
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

/** So many significant digits identify each double. */
const doubleDigits = 17;

function isInexact(written: string, read: number): boolean {
  if (!Number.isFinite(read)) return true;
  const { digits, exponent } = decimalOf(written);
  const kept = decimalOf(String(read));
  if (digits === kept.digits && exponent === kept.exponent) return false;
  return read === 0 || !/[.e]/i.test(written) || digits.length > doubleDigits;
}

/** Significant digits of a decimal number, and the power of ten that multiplies them. */
function decimalOf(number: string): { digits: string; exponent: number } {
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
