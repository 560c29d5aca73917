import { describe, expect, test } from "vitest";
import { bucketsOf, runningTotals, type Hour } from "./buckets.ts";

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

describe("running totals", () => {
  const all = bucketsOf([
    hour(0, { accepted: 5, displayed: 2 }),
    hour(2, { displayed: 1, clicked: 1 }),
  ]);
  const untilOf = (nowMs: number) =>
    runningTotals(all, nowMs).map(({ untilMs }) => untilMs - start);

  test("each is what was counted up to the end of its hour", () => {
    const totals = runningTotals(all, start + 9 * hourMs);
    expect(
      totals.map(({ accepted, displayed, clicked }) => [accepted, displayed, clicked]),
    ).toEqual([
      [5, 2, 0],
      [5, 2, 0],
      [5, 3, 1],
    ]);
    expect(totals.map(({ isOpen }) => isOpen)).toEqual([false, false, false]);
    expect(untilOf(start + 9 * hourMs)).toEqual([hourMs, 2 * hourMs, 3 * hourMs]);
  });

  test("the hour that is not over ends now", () => {
    expect(runningTotals(all, start + 2.5 * hourMs).at(-1)?.isOpen).toBe(true);
    expect(untilOf(start + 2.5 * hourMs)).toEqual([hourMs, 2 * hourMs, 2.5 * hourMs]);
  });

  test("a clock that is behind the server's leaves the hours in their order", () => {
    expect(untilOf(start + 0.5 * hourMs)).toEqual([hourMs, 2 * hourMs, 2 * hourMs]);
  });

  test("a day ends where the next one begins", () => {
    const days = bucketsOf([hour(0, { accepted: 5 }), hour(100, { displayed: 1 })]);
    const [first] = runningTotals(days, start + 200 * hourMs);
    expect(first?.untilMs).toBe(new Date(2026, 0, 6).getTime());
  });
});
