import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

afterEach(() => {
  vi.unstubAllEnvs();
});

function read(retryAfter: string | undefined, date?: string): number | null {
  return readRetryAfter({ "retry-after": retryAfter, date }, nowMs);
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

describe("Retry-After", () => {
  test.each([
    ["0", nowMs],
    ["1", nowMs + 1000],
    [" 120 ", nowMs + 120_000],
    ["86400", nowMs + dayMs],
    ["86401", nowMs + dayMs],
    ["99999999999999999999999999", nowMs + dayMs],
    ["9".repeat(400), nowMs + dayMs],
    ["Fri, 20 Nov 2026 12:02:00 GMT", nowMs + 120_000],
    ["Friday, 20-Nov-26 12:02:00 GMT", nowMs + 120_000],
    ["Fri Nov 20 12:02:00 2026", nowMs + 120_000],
    ["Sun, 06 Nov 1994 08:49:37 GMT", nowMs],
    ["Fri, 31 Dec 9999 23:59:59 GMT", nowMs + dayMs],
    [undefined, null],
    ["", null],
    ["soon", null],
    ["-1", null],
    ["+1", null],
    ["1.5", null],
    ["1e3", null],
    ["0x10", null],
    ["NaN", null],
    ["Infinity", null],
    ["120, 240", null],
    ["2026-11-20T12:02:00Z", null],
    ["Fri, 99 Foo 2026 12:02:00 GMT", null],
    ["Fri, ", null],
  ])("%j", (value, expected) => {
    expect(read(value)).toBe(expected);
  });

  test("as a date without a zone means GMT wherever the server stands", () => {
    vi.stubEnv("TZ", "America/Sao_Paulo");
    expect(read("Fri Nov 20 12:02:00 2026")).toBe(nowMs + 120_000);
  });

  test.each([
    ["two hours ahead of ours", 2],
    ["two hours behind ours", -2],
    ["a year ahead of ours", 365 * 24],
    ["right", 0],
  ])("as a date from a push service whose clock is %s", (_what, hours) => {
    const theirsMs = nowMs + hours * hourMs;
    expect(read(httpDate(theirsMs + 120_000), httpDate(theirsMs))).toBe(nowMs + 120_000);
    expect(read(httpDate(theirsMs - 120_000), httpDate(theirsMs))).toBe(nowMs);
    expect(read("120", httpDate(theirsMs))).toBe(nowMs + 120_000);
  });

  test("as a date beside a Date that cannot be read counts by our clock", () => {
    for (const date of ["", "now", "2026-11-20T10:00:00Z"]) {
      expect(read(httpDate(nowMs + 120_000), date)).toBe(nowMs + 120_000);
    }
  });

  test("never means the past, more than a day ahead or an exception, whatever is in the headers", () => {
    const text = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.constantFrom("Fri, ", "Sun Nov ", "Mon, 01 Jan 0000 00:00:00 GMT"),
    );
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (retryAfter, date) => {
        const at = read(retryAfter, date);
        if (at === null) return;
        expect(at).toBeGreaterThanOrEqual(nowMs);
        expect(at).toBeLessThanOrEqual(nowMs + dayMs);
      }),
      { numRuns: 2000 },
    );
  });
});
