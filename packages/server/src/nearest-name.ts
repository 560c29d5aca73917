import leven from "leven";

/**
 * The name that somebody probably means who wrote another one.
 * @returns one of `known`, or null: none resembles it. A third of what was written may be wrong, or two neighbours swapped.
 */
export function nearestName(written: string, known: readonly string[]): string | null {
  const maxDistance = Math.floor((written.length + 1) / 3);
  const distances = known
    .map((name) => ({ name, distance: isSwapped(written, name) ? 1 : leven(written, name) }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((one, other) => one.distance - other.distance);
  return distances[0]?.name ?? null;
}

/** @returns a question that follows a sentence, or nothing where no name resembles it */
export function meantQuestion(written: string, known: readonly string[]): string {
  const meant = nearestName(written, known);
  return meant === null ? "" : ` Do you mean ${meant}?`;
}

function isSwapped(written: string, name: string): boolean {
  return Array.from(
    written,
    (_, at) => written.slice(0, at) + (written[at + 1] ?? "") + written[at] + written.slice(at + 2),
  ).includes(name);
}
