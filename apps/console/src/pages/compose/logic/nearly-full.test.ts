import { expect, test } from "vitest";
import { isNearlyFull } from "./nearly-full.ts";

test.for([
  [0, 200, false],
  [160, 200, false],
  [161, 200, true],
  [200, 200, true],
  [3_194, 3_993, false],
  [3_195, 3_993, true],
] as const)("an operator who used %i of %i reads how much room is left: %j", ([used, most, is]) => {
  expect(isNearlyFull(used, most)).toBe(is);
});
