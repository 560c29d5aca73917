import { expect, test } from "vitest";
import { contrast } from "./contrast.ts";

test.for([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#000000", 21],
  ["#767676", "#ffffff", 4.54],
  ["#ffffff", "#ffffff", 1],
] as const)("%s on %s", ([one, other, ratio]) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
});
