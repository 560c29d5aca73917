import { expect, test } from "vitest";
import { inexactNumbers, inexactSentence } from "./inexact-numbers.ts";

test.for([
  "1234567890123456789",
  "-1234567890123456789",
  "9007199254740993",
  "12345678901234567",
  "1e400",
  "-1e400",
  "1e-400",
  "3.14159265358979323846",
  // One digit more than a double has.
  "0.123456789012345679",
  "1234567890123456789.5",
  `1${"0".repeat(400)}`,
  "1".repeat(100_000),
])("JavaScript changes %s", (written) => {
  expect(inexactNumbers(`{"a":[{"b":${written}}]}`)).toEqual([
    { path: ["a", "0", "b"], written, read: Number(written) },
  ]);
});

test.for([
  "0",
  "-0",
  "0.0",
  "0e5",
  "0.1",
  "1.50",
  "1e3",
  "1E+21",
  "1.5e300",
  "5e-324",
  "9007199254740991",
  "9007199254740992",
  "1234567890123456800",
  "100000000000000000000000",
  "0.30000000000000004",
  // Libraries write a double with 17 digits: this is 0.1.
  "0.10000000000000001",
  "9.9999999999999992e+22",
  `0.${"0".repeat(100)}1`,
  `1${"0".repeat(300)}`,
  '"1234567890123456789"',
  '"1e400"',
  "null",
])("JavaScript keeps %s", (written) => {
  expect(inexactNumbers(`{"a":[{"b":${written}}],"c":1e2}`)).toEqual([]);
});

test("returns the path of each, also under __proto__ and an empty name", () => {
  const text = '{"__proto__":1e400,"":[1e400,1,12345678901234567]}';
  expect(inexactNumbers(text).map(({ path }) => path.join("."))).toEqual(["__proto__", ".0", ".2"]);
});

test("a sentence shows a long number by its beginning", () => {
  expect(inexactSentence({ written: "1e400", read: Infinity })).toBe(
    "JavaScript reads 1e400 as Infinity: send it as a string",
  );
  expect(inexactSentence({ written: "1".repeat(41), read: 1e40 })).toBe(
    `JavaScript reads ${"1".repeat(40)}… as 1e+40: send it as a string`,
  );
});
