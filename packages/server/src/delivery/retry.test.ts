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
    [9, null, 0, Infinity, 512_000],
    // Never longer than a quarter of an hour, and no count of attempts ends it.
    [10, null, 0, Infinity, 15 * minute],
    [10, null, 0.5, Infinity, 11.25 * minute],
    [5_000, null, 0, Infinity, 15 * minute],
    // The push service's time counts if it is later, spread over a second.
    [1, 120_000, 0, Infinity, 120_000],
    [1, 120_000, 0.5, Infinity, 120_500],
    [3, 10, 0, Infinity, 8_000],
    [20, 60 * minute, 0, Infinity, 60 * minute],
    [1, -5_000, 0, Infinity, 2_000],
    // Not beyond the TTL.
    [1, null, 0, 2_001, 2_000],
    [1, null, 0, 2_000, null],
    [1, 5 * minute, 0, minute, null],
    [10, null, 0, 15 * minute, null],
  ] as const)("attempts %s, not before %s, random %s, until %s: %s", (row) => {
    const [attempts, notBefore, random, lastMs, expected] = row;
    expect(retryAtMs(attempts, notBefore, { nowMs: 0, lastMs, random })).toBe(expected);
  });
});
