import { expect, test } from "vitest";
import { createFailing, pauseAfterMs } from "./failing.ts";

test("work that fails is left alone for longer each time, up to half a minute", () => {
  const pauses = [0, 1, 2, 3, 7, 8, 9_999].map(pauseAfterMs);
  expect(pauses).toEqual([0, 400, 800, 1_600, 25_600, 30_000, 30_000]);
});

test("work is paused by its name, until the pause is over", () => {
  let nowMs = 0;
  const failing = createFailing(() => nowMs);
  failing.failed("one");
  failing.failed("one");
  expect(["one", "other"].map(failing.isPaused)).toEqual([true, false]);
  nowMs = 799;
  expect(failing.isPaused("one")).toBe(true);
  nowMs = 800;
  expect(failing.isPaused("one")).toBe(false);
});

test("the count begins anew once the work has succeeded", () => {
  let nowMs = 0;
  const failing = createFailing(() => nowMs);
  for (let count = 0; count < 5; count += 1) failing.failed("one");
  failing.worked("one");
  expect(failing.isPaused("one")).toBe(false);
  failing.failed("one");
  nowMs = 400;
  expect(failing.isPaused("one")).toBe(false);
});
