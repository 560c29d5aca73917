/** A number in a JSON text that JavaScript reads as another one. */
export type InexactNumber = {
  /** Names and positions that lead to it. */
  path: string[];
  written: string;
  read: number;
};

/**
 * Finds the numbers of a JSON text that change when JavaScript reads them: integers beyond 2^53 that it rounds, and numbers
 * that it takes for infinite or for 0 (RFC 8259, section 6). A number with a point or an exponent may have 17 digits: so many name
 * each double, and libraries write them. None is found in what nests too deep to be looked at.
 * @param text valid JSON
 */
export function inexactNumbers(text: string): InexactNumber[] {
  // A double keeps 15 digits.
  if (!/\d[\d.]{15}|\d[eE]/.test(text)) return [];
  const found = new Map<unknown, Map<string, Omit<InexactNumber, "path">>>();
  function note(
    this: unknown,
    key: string,
    value: unknown,
    context?: { source?: string },
  ): unknown {
    const written = context?.source;
    if (typeof value === "number" && written !== undefined && isInexact(written, value)) {
      const others = found.get(this) ?? new Map<string, Omit<InexactNumber, "path">>();
      found.set(this, others.set(key, { written, read: value }));
    }
    return value;
  }
  try {
    const whole: unknown = JSON.parse(text, note);
    return found.size === 0 ? [] : withPaths(whole, found);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function withPaths(
  whole: unknown,
  found: ReadonlyMap<unknown, ReadonlyMap<string, Omit<InexactNumber, "path">>>,
): InexactNumber[] {
  const numbers: InexactNumber[] = [];
  const open: { value: unknown; path: string[] }[] = [{ value: whole, path: [] }];
  for (const { value, path } of open) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, number] of found.get(value) ?? [])
      numbers.push({ path: [...path, key], ...number });
    for (const [key, each] of Object.entries(value))
      open.push({ value: each, path: [...path, key] });
  }
  return numbers;
}

/** Digits that name each double. */
const doubleDigits = 17;

function isInexact(written: string, read: number): boolean {
  if (!Number.isFinite(read)) return true;
  const { digits, exponent } = decimalOf(written);
  const kept = decimalOf(String(read));
  if (digits === kept.digits && exponent === kept.exponent) return false;
  return read === 0 || !/[.e]/i.test(written) || digits.length > doubleDigits;
}

/** Its digits without the zeros around them, and the power of ten that they are multiplied by. */
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
