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

describe("more keys than are kept", () => {
  test("push out the lowest counts, of these the oldest", () => {
    add("strong", 2);
    add("old");
    addOthers(97);
    add("young");
    addOthers(1);
    expect(counts.size()).toBe(100);
    // "old" has gone; it goes on from the lowest count that there is.
    expect([add("strong"), add("young")]).toEqual([3, 2]);
    expect(add("old")).toBe(2);
  });

  test("never wash out a key that has counted more than each of them", () => {
    add("baker", 5);
    addOthers(100_000);
    expect(counts.size()).toBe(100);
    // Each of the keys that are kept has been counted many times meanwhile, and so has whatever comes next.
    expect(add("baker")).toBeGreaterThan(5);
  });

  test("do not give a key that is pushed out over and over its count back", () => {
    addOthers(100, 2);
    for (let count = 3; count < 20; count += 1) {
      expect(add("baker")).toBeGreaterThanOrEqual(count);
      addOthers(100);
    }
  });

  test("are forgotten with their windows: then counts begin at nought", () => {
    addOthers(100, 9);
    nowMs += 1_000;
    expect(add("baker")).toBe(1);
  });
});
