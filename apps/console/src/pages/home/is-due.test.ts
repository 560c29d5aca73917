import { expect, test } from "vitest";
import { isDue } from "./is-due.ts";

test("a time that has come is never told as one to wait for", () => {
  const at = "2026-11-22T12:00:00.000Z";
  expect(isDue(at, Date.parse(at) - 1)).toBe(false);
  expect(isDue(at, Date.parse(at))).toBe(true);
  expect(isDue(at, Date.parse(at) + 660_000)).toBe(true);
});
