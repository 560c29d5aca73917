import { expect, test } from "vitest";
import { fitted } from "./shrink.ts";

test.for([
  [{ width: 100, height: 50 }, 256, { width: 100, height: 50 }],
  [{ width: 512, height: 256 }, 256, { width: 256, height: 128 }],
  [{ width: 3, height: 4000 }, 256, { width: 1, height: 256 }],
] as const)("%j in %i is %j", ([size, side, fits]) => {
  expect(fitted(size, side)).toEqual(fits);
});
