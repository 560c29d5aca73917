const units = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A time span in words, by its two largest units: "2 horas e 5 minutos". */
export function durationText(seconds: number, language: string): string {
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 && parts.length < 2) parts.push(unitText(count, unit, language));
  }
  if (parts.length === 0) return unitText(0, "second", language);
  return new Intl.ListFormat(language, { type: "conjunction" }).format(parts);
}

function unitText(count: number, unit: (typeof units)[number][0], language: string): string {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
    count,
  );
}
