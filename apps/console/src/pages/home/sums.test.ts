import { expect, test } from "vitest";
import { sumOf } from "./sums.ts";

const day = {
  day: "2026-11-22",
  registered: 1,
  returned: 2,
  renewed: 100,
  left: 10,
  gone: 20,
  removed: 30,
  live: 7,
};

test("a browser that only changed its subscription neither entered nor left", () => {
  expect(sumOf([day, day])).toEqual({ came: 6, lost: 120 });
  expect(sumOf([])).toEqual({ came: 0, lost: 0 });
});
