import { expect, test } from "vitest";
import { tomorrowAt } from "./tomorrow.ts";

test.for([
  ["2026-11-30T23:59", "2026-12-01T09:00"],
  ["2026-12-31T00:00", "2027-01-01T09:00"],
  ["2028-02-28T12:00", "2028-02-29T09:00"],
] as const)("nine o'clock of tomorrow, asked for at %s, is %s", ([now, said]) => {
  expect(tomorrowAt(9, new Date(now).getTime())).toBe(said);
});
