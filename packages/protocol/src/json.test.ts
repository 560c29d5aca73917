import { describe, expect, test } from "vitest";
import { isNestedAtMost, jsonObjectSchema } from "./json.ts";

/** `{"a":{"a":...1}}`, so many levels deep. */
const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);

describe("isNestedAtMost", () => {
  test.for<[value: unknown, depth: number]>([
    [{}, 1],
    [[], 1],
    [{ a: 1, b: null }, 1],
    [{ a: [], b: 1 }, 2],
    [{ a: { b: [1] } }, 3],
    [[[[]]], 3],
  ])("%j has depth %i", ([value, depth]) => {
    expect(isNestedAtMost(value, depth)).toBe(true);
    expect(isNestedAtMost(value, depth - 1)).toBe(false);
  });

  test.for([[1], [null], ["{{{"], [undefined]])("%j has none", ([value]) => {
    expect(isNestedAtMost(value, 0)).toBe(true);
  });

  test("overflows no stack, however deep", () => {
    expect(isNestedAtMost(nested(100_000), 99_999)).toBe(false);
    expect(isNestedAtMost(nested(100_000), 100_000)).toBe(true);
  });
});

describe("jsonObjectSchema", () => {
  test.for<[value: unknown]>([[1], ["{}"], [null], [[]], [undefined]])(
    "takes no %j: it is no object",
    ([value]) => {
      const { error } = jsonObjectSchema(3).safeParse(value);
      expect(error?.issues).toEqual([expect.objectContaining({ message: "an object" })]);
    },
  );

  test("takes what nests so deep, and no deeper", () => {
    expect(jsonObjectSchema(3).safeParse(nested(3))).toEqual({ success: true, data: nested(3) });
    const { error } = jsonObjectSchema(3).safeParse(nested(4));
    expect(error?.issues).toMatchObject([{ message: "nests deeper than 3 levels" }]);
    expect(jsonObjectSchema(3).safeParse(nested(100_000)).success).toBe(false);
  });
});
