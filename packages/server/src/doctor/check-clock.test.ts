import { expect, test } from "vitest";
import { checkClock } from "./check-clock.ts";

const at = Date.parse("2026-12-01T12:00:00Z");
/** A push service that showed this time, asked so many milliseconds later by this machine's clock. */
const clock = (host: string, aheadMs: number, tookMs = 100) => ({
  host,
  atMs: at,
  askedMs: at + aheadMs,
  answeredMs: at + aheadMs + tookMs,
});

test.for([
  ["right", [clock("a", 0)], { code: "clock-right", subject: "a", seen: "0 s" }],
  [
    "right within the second of the header",
    [clock("a", 999)],
    { code: "clock-right", seen: "0 s" },
  ],
  ["a minute ahead", [clock("a", 61_000)], { code: "clock-right", seen: "60 s" }],
  ["more than a minute ahead", [clock("a", 61_001)], { code: "clock-fast", seen: "60 s" }],
  ["an hour ahead", [clock("a", 3_601_000)], { code: "clock-fast", seen: "3600 s", subject: "a" }],
  ["more than a minute behind", [clock("a", -60_101)], { code: "clock-slow", seen: "60 s" }],
  ["unknown without a push service", [], { code: "clock-unknown", state: "unknown" }],
] as const)("the clock is %s", ([, clocks, expected]) => {
  expect(checkClock(clocks)).toMatchObject(expected);
});

test("a slow answer is not a wrong clock", () => {
  expect(checkClock([clock("a", -9_000, 10_000)])).toMatchObject({
    code: "clock-right",
    seen: "0 s",
  });
});

test("one push service with a wrong clock does not decide", () => {
  const clocks = [clock("a", 0), clock("wrong", 9_000_000), clock("c", 0)];
  expect(checkClock(clocks)).toMatchObject({ code: "clock-right" });
  expect(checkClock([clock("wrong", -9_000_000), clock("a", 0), clock("c", 0)])).toMatchObject({
    code: "clock-right",
  });
});
