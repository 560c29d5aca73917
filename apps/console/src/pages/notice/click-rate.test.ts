import { expect, test } from "vitest";
import { clickRate, usualClickRate } from "./click-rate.ts";

test("clicks are a share of what was displayed, from ten displayed on", () => {
  expect(clickRate({ displayed: 9, clicked: 9 })).toBeUndefined();
  expect(clickRate({ displayed: 10, clicked: 1 })).toBe(0.1);
  expect(clickRate({ displayed: 147, clicked: 96 })).toBeCloseTo(0.653, 3);
});

test("with more clicks than displays there is no rate", () => {
  expect(clickRate({ displayed: 10, clicked: 10 })).toBe(1);
  expect(clickRate({ displayed: 10, clicked: 12 })).toBeUndefined();
});

test("the usual is the mean of at least three notices, each of the same weight", () => {
  const of = (displayed: number, clicked: number) => ({ receipts: { displayed, clicked } });
  const large = of(1_000, 100);
  expect(usualClickRate([large, of(10, 3)])).toBeUndefined();
  expect(usualClickRate([large, of(10, 3), of(9, 9)])).toBeUndefined();
  expect(usualClickRate([large, of(10, 3), of(20, 4), of(9, 9)])).toBeCloseTo(0.2, 10);
});
