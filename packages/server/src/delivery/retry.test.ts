import { describe, expect, test } from "vitest";
import { retryAtMs } from "./retry.ts";

const minute = 60_000;

describe("retryAtMs", () => {
  test.for([
    // attempts, notBefore, random, TTL ends at, expected
    [1, null, 0, Infinity, 2_000],
    [1, null, 0.5, Infinity, 1_500],
    [2, null, 0, Infinity, 4_000],
    [7, null, 0, Infinity, 128_000],
    [8, null, 0, Infinity, null],
    [9, null, 0, Infinity, null],
    // The push service's time counts if it is later, spread over a second.
    [1, 120_000, 0, Infinity, 120_000],
    [1, 120_000, 0.5, Infinity, 120_500],
    [3, 10, 0, Infinity, 8_000],
    [1, -5_000, 0, Infinity, 2_000],
    // Not beyond the TTL.
    [1, null, 0, 2_001, 2_000],
    [1, null, 0, 2_000, null],
    [1, 5 * minute, 0, minute, null],
  ] as const)("attempts %s, not before %s, random %s, until %s: %s", (row) => {
    const [attempts, notBefore, random, lastMs, expected] = row;
    expect(retryAtMs(attempts, notBefore, { nowMs: 0, lastMs, random })).toBe(expected);
  });
});
