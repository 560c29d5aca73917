import { expect, test } from "vitest";
import { bucketsOf, type Hour } from "./buckets.ts";

const start = new Date(2026, 0, 5, 9).getTime();
const hourMs = 3_600_000;
const hour = (afterHours: number, over: Partial<Hour> = {}): Hour => ({
  at: new Date(start + afterHours * hourMs).toISOString(),
  accepted: 0,
  displayed: 0,
  clicked: 0,
  closed: 0,
  ...over,
});

test("nothing is nothing", () => {
  expect(bucketsOf([])).toEqual({ size: "hour", buckets: [] });
});

test("each hour has its own, also one without anything", () => {
  const { size, buckets } = bucketsOf([
    hour(0, { accepted: 5, displayed: 2 }),
    hour(2, { clicked: 1 }),
  ]);
  expect(size).toBe("hour");
  expect(buckets).toEqual([
    { atMs: start, accepted: 5, displayed: 2, clicked: 0, closed: 0 },
    { atMs: start + hourMs, accepted: 0, displayed: 0, clicked: 0, closed: 0 },
    { atMs: start + 2 * hourMs, accepted: 0, displayed: 0, clicked: 1, closed: 0 },
  ]);
});

test("three days are told by the hour, more by the day, with nothing lost", () => {
  expect(bucketsOf([hour(0), hour(71)]).size).toBe("hour");
  const all = [
    hour(0, { closed: 1 }),
    hour(3, { closed: 2 }),
    hour(24, { closed: 4 }),
    hour(72, { closed: 8 }),
  ];
  const { size, buckets } = bucketsOf(all);
  expect(size).toBe("day");
  expect(buckets.map(({ atMs }) => new Date(atMs).getDate())).toEqual([5, 6, 7, 8]);
  expect(buckets.map(({ closed }) => closed)).toEqual([3, 4, 0, 8]);
  expect(buckets.every(({ atMs }) => new Date(atMs).getHours() === 0)).toBe(true);
});
