import leven from "leven";

/**
 * The name that somebody probably means who wrote another one, whichever its case.
 * @returns one of `known`, or null: none resembles it. A third of what was written may be wrong, or two neighbours swapped; or one of
 *   both has all words of the other, as `log` of `log-level`.
 */
export function nearestName(written: string, known: readonly string[]): string | null {
  const maxDistance = Math.floor((written.length + 1) / 3);
  const byDistance = known
    .map((name) => ({ name, distance: distanceOf(written.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const meant =
    byDistance.find(({ distance }) => distance <= maxDistance) ??
    byDistance.find(({ name }) => hasWordsOf(name, written) || hasWordsOf(written, name));
  return meant?.name ?? null;
}

/** @returns a question that follows a sentence, or nothing where no name resembles it */
export function meantQuestion(written: string, known: readonly string[]): string {
  const meant = nearestName(written, known);
  return meant === null ? "" : ` Do you mean ${meant}?`;
}

function distanceOf(written: string, name: string): number {
  return isSwapped(written, name) ? 1 : leven(written, name);
}

function hasWordsOf(longer: string, shorter: string): boolean {
  const words = wordsOf(shorter);
  return words.length > 0 && words.every((word) => wordsOf(longer).includes(word));
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[_-]+/).filter(Boolean);
}

function isSwapped(written: string, name: string): boolean {
  return Array.from(
    written,
    (_, at) => written.slice(0, at) + (written[at + 1] ?? "") + written[at] + written.slice(at + 2),
  ).includes(name);
}
