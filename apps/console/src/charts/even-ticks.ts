/**
 * Chooses the columns that get a label: evenly spaced, and the last column is one of them.
 * @param count how many columns there are
 * @param most how many labels fit
 * @returns indexes, the smallest first
 */
export function evenTicks(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  const ticks: number[] = [];
  for (let index = count - 1; index >= 0; index -= step) ticks.push(index);
  return ticks.toReversed();
}
