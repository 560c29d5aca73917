import * as fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createCounts, type Counts } from "./counts.ts";

let nowMs: number;
let counts: Counts;
beforeEach(() => {
  nowMs = 5_000;
  counts = createCounts({ windowMs: 1_000, mostKeys: 100, nowMs: () => nowMs });
});

/** So many times each. @returns the last count */
function add(key: string, times = 1): number {
  let count = 0;
  for (let time = 0; time < times; time += 1) ({ count } = counts.add(key));
  return count;
}
/** Counts so many keys of which none was there. */
let made = 0;
function addOthers(keys: number, times = 1): void {
  for (let key = 0; key < keys; key += 1) add(`other ${(made += 1)}`, times);
}

test("each key is counted on its own, from its first on for the window's time", () => {
  expect(counts.add("baker")).toEqual({ count: 1, endsInMs: 1_000 });
  nowMs += 400;
  expect(counts.add("florist")).toEqual({ count: 1, endsInMs: 1_000 });
  expect(counts.add("baker")).toEqual({ count: 2, endsInMs: 600 });
  nowMs += 599;
  expect(counts.add("baker")).toEqual({ count: 3, endsInMs: 1 });
  nowMs += 1;
  expect(counts.add("baker")).toEqual({ count: 1, endsInMs: 1_000 });
  expect(counts.add("florist")).toEqual({ count: 2, endsInMs: 400 });
});

test("what is taken back was not there, and leaves nothing", () => {
  add("baker", 2);
  counts.takeBack("baker");
  expect(add("baker")).toBe(2);
  counts.takeBack("baker");
  counts.takeBack("baker");
  expect(counts.size()).toBe(0);
  counts.takeBack("baker");
  expect(add("baker")).toBe(1);
});

test("keys whose window has ended leave nothing", () => {
  addOthers(100);
  nowMs += 1_000;
  add("baker");
  expect(counts.size()).toBe(1);
});

describe("where more keys are counted than are kept", () => {
  test("a tenth is forgotten: the lowest counts, of these the oldest", () => {
    add("strong", 2);
    add("old");
    addOthers(97);
    add("young");
    addOthers(1);
    expect(counts.size()).toBe(91);
    // "old" has gone, and begins with as much as was forgotten.
    expect([add("strong"), add("young"), add("old")]).toEqual([3, 2, 2]);
  });

  test("others never wash a key's count out", () => {
    add("baker", 5);
    addOthers(10_000);
    expect(counts.size()).toBeLessThanOrEqual(100);
    expect(add("baker")).toBeGreaterThan(5);
  });

  test("a key that is forgotten over and over does not begin at nought", () => {
    addOthers(100, 2);
    for (let count = 1; count < 20; count += 1) {
      expect(add("baker")).toBeGreaterThanOrEqual(count);
      addOthers(100);
    }
  });

  test("no history lets one key through more often than twice within a window's time", () => {
    const limit = 4;
    const step = fc.record({
      key: fc.nat(30),
      waitsMs: fc.nat(5),
      isTakenBack: fc.boolean(),
    });
    const history = fc.array(step, { minLength: 300, maxLength: 600 });
    fc.assert(
      fc.property(history, (steps) => {
        const few = createCounts({ windowMs: 1_000, mostKeys: 5, nowMs: () => nowMs });
        const timesOf = new Map<number, number[]>();
        for (const { key, waitsMs, isTakenBack } of steps) {
          nowMs += waitsMs;
          const isLetThrough = few.add(String(key)).count <= limit;
          expect(few.size()).toBeLessThanOrEqual(5);
          if (!isLetThrough) continue;
          if (isTakenBack) {
            few.takeBack(String(key));
            continue;
          }
          const since = (timesOf.get(key) ?? []).filter((atMs) => nowMs - atMs < 1_000);
          timesOf.set(key, [...since, nowMs]);
          // A window begins with a key's first, so a window's time may see two of them.
          expect(since.length).toBeLessThan(2 * limit);
        }
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });

  test("what was forgotten counts until its windows have ended, for nobody longer", () => {
    addOthers(101, 9);
    nowMs += 999;
    expect(add("baker")).toBe(10);
    nowMs += 1;
    expect(add("florist")).toBe(1);
  });

  test("what is taken back leaves nothing", () => {
    addOthers(101, 9);
    const size = counts.size();
    expect(add("baker")).toBe(10);
    counts.takeBack("baker");
    expect(counts.size()).toBe(size);
    expect(add("baker")).toBe(10);
  });
});
