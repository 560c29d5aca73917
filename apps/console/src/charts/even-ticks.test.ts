import { expect, test } from "vitest";
import { evenTicks } from "./even-ticks.ts";

test.for([
  [30, 5, [5, 11, 17, 23, 29]],
  [90, 5, [17, 35, 53, 71, 89]],
  [3, 5, [0, 1, 2]],
  [1, 5, [0]],
  [0, 5, []],
] as const)(
  "of %i columns, at most %i get a label, and the last one does",
  ([count, most, ticks]) => {
    expect(evenTicks(count, most)).toEqual(ticks);
  },
);
