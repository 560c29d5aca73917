import { expect, test } from "vitest";
import { bucketsOf, runningTotals } from "./buckets.ts";
import { labelsOf } from "./time-labels.ts";

const hourMs = 3_600_000;
const hourAt = (atMs: number) => ({
  at: new Date(atMs).toISOString(),
  accepted: 1,
  displayed: 0,
  clicked: 0,
  closed: 0,
});

/** The labels of a notice that began at 9:03 of January 5, where something was counted in the first hour and in the last. */
function labelsAfter(hours: number) {
  const first = new Date(2026, 0, 5, 9).getTime();
  const last = first + (hours - 1) * hourMs;
  const all = bucketsOf([hourAt(first), hourAt(last)]);
  const totals = runningTotals(all, last + hourMs / 2);
  const { part, edges } = labelsOf(all.size, totals, first + 180_000);
  const said = edges.map(({ index, atMs }) => {
    const at = new Date(atMs);
    return `${index}: ${at.getDate()}. ${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
  });
  return { part, said };
}

test("the first hour is said by its two ends", () => {
  expect(labelsAfter(1)).toEqual({ part: "time", said: ["0: 5. 9:03", "1: 5. 9:30"] });
});

test("within a day the labels are evenly spaced, and both ends have one", () => {
  expect(labelsAfter(10)).toEqual({
    part: "time",
    said: ["0: 5. 9:03", "4: 5. 13:00", "7: 5. 16:00", "10: 5. 18:30"],
  });
});

test("across midnight the labels of a few hours say the time", () => {
  expect(labelsAfter(18)).toEqual({
    part: "time",
    said: ["0: 5. 9:03", "8: 5. 17:00", "13: 5. 22:00", "18: 6. 2:30"],
  });
});

test("over several days the labels say where a day begins", () => {
  expect(labelsAfter(60)).toEqual({
    part: "day",
    said: ["0: 5. 9:03", "39: 7. 0:00", "60: 7. 20:30"],
  });
});

test("a day that begins close to an end has no label", () => {
  expect(labelsAfter(40)).toEqual({
    part: "day",
    said: ["0: 5. 9:03", "15: 6. 0:00", "40: 7. 0:30"],
  });
});

test("of many days two between the ends have a label", () => {
  expect(labelsAfter(20 * 24)).toEqual({
    part: "day",
    said: ["0: 5. 9:03", "10: 15. 0:00", "15: 20. 0:00", "21: 25. 8:30"],
  });
});
