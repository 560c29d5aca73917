import { expect, test } from "vitest";
import { inexactNumbers } from "./inexact-numbers.ts";

test.for([
  "1234567890123456789",
  "-1234567890123456789",
  "9007199254740993",
  "12345678901234567",
  "1e400",
  "-1e400",
  "1e-400",
  "3.14159265358979323846",
  "1234567890123456789.5",
  `1${"0".repeat(400)}`,
  "1".repeat(100_000),
])("%s is another number when it is read", (written) => {
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
])("%s stays what it is", (written) => {
  expect(inexactNumbers(`{"a":[{"b":${written}}],"c":1e2}`)).toEqual([]);
});

test("each is named, under any name", () => {
  const text = '{"__proto__":1e400,"":[1e400,1,12345678901234567]}';
  expect(inexactNumbers(text).map(({ path }) => path.join("."))).toEqual(["__proto__", ".0", ".2"]);
});

test("what nests a hundred thousand levels deep is not looked at", () => {
  const deep = `${"[".repeat(100_000)}1e400${"]".repeat(100_000)}`;
  expect(inexactNumbers(deep)).toEqual([]);
});
