import { ticks } from "d3-array";

const mostTicks = 4;

/** Maps the values of a `Plot` to CSS pixels below its upper edge. */
export type Scale = { yOf: (value: number) => number; ticks: readonly number[] };

/**
 * Maps counts from the least to the most.
 * @param least at most 0
 * @param most at least 0
 * @param height of the columns, in CSS pixels
 */
export function scaleOf(least: number, most: number, height: number): Scale {
  const high = Math.max(most, least + 1);
  return {
    yOf: (value) => (height * (high - value)) / (high - least),
    // Counts are whole numbers.
    ticks: ticks(least, high, mostTicks).filter(Number.isInteger),
  };
}

/**
 * Places what stands in a column of a `Plot`, in percent of the width of all columns.
 * @param gap share of the column that stays empty, from 0 to 1
 */
export function placeOf(index: number, count: number, gap: number): { x: number; width: number } {
  return { x: ((index + gap / 2) / count) * 100, width: ((1 - gap) / count) * 100 };
}
