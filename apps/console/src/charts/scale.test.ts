import { expect, test } from "vitest";
import { placeOf, scaleOf } from "./scale.ts";

test("the most stands at the upper edge, the least at the lower one, and the ticks between them are round", () => {
  const { yOf, ticks } = scaleOf(-13, 37, 100);
  expect(ticks).toEqual([-10, 0, 10, 20, 30]);
  expect([37, 0, -13].map(yOf)).toEqual([0, 74, 100]);
});

test("counts have no tick between two whole numbers", () => {
  expect(scaleOf(0, 1, 100).ticks).toEqual([0, 1]);
  expect(scaleOf(0, 0, 100).ticks).toEqual([0, 1]);
  expect(scaleOf(-1, 0, 100).ticks).toEqual([-1, 0]);
});

test("a column lies in its share of the width, with half of the gap at each side", () => {
  expect(placeOf(0, 4, 0.5)).toEqual({ x: 6.25, width: 12.5 });
  expect(placeOf(3, 4, 0.5)).toEqual({ x: 81.25, width: 12.5 });
});
