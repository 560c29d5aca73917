import * as fc from "fast-check";
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
  "9007199254740993.0",
  "9.007199254740993e15",
  "72057594037927937e0",
  "1234567890123456.7",
  "99999999999999999.0",
  "0.99999999999999999",
  "-3e-324",
  // The double is -46.63330888888889092.
  "-46.63330888888889012",
  // A double, but no JSON writes it so.
  "1234567890123456768",
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
  // As others write doubles: with all their digits, or with a fixed number of them.
  "0.1000000000000000055511151231257827",
  "-46.63330888888889092",
  "9007199254740992.0",
  "1234567890123456.8",
  "4.9e-324",
  `0.${"0".repeat(100)}1`,
  `1${"0".repeat(300)}`,
  '"1234567890123456789"',
  '"1e400"',
  "null",
])("JavaScript keeps %s", (written) => {
  expect(inexactNumbers(`{"a":[{"b":${written}}],"c":1e2}`)).toEqual([]);
});

const changes = (number: string) => inexactNumbers(`[${number}]`).length === 1;
const double = fc.double({ noDefaultInfinity: true, noNaN: true });

test("keeps a double with as many digits as anybody prints", () => {
  fc.assert(
    fc.property(double, fc.integer({ min: 16, max: 99 }), (number, digits) => {
      expect(changes(JSON.stringify(number))).toBe(false);
      expect(changes(number.toExponential(digits))).toBe(false);
    }),
  );
});

test("keeps a decimal of at most 15 digits", () => {
  const fifteen = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(fifteen, fc.integer({ min: -300, max: 290 }), (digits, exponent) => {
      expect(changes(`${digits}e${exponent}`)).toBe(false);
    }),
  );
});

test("finds a digit that is another one than the double has", () => {
  fc.assert(
    fc.property(
      double,
      fc.integer({ min: 17, max: 99 }),
      fc.integer({ min: 1, max: 9 }),
      (...all) => {
        const [number, digits, more] = all;
        fc.pre(number !== 0);
        const [mantissa = "", exponent] = number.toExponential(digits).split("e");
        const last = (Number(mantissa.at(-1)) + more) % 10;
        // With 0 at its end it has one digit less.
        fc.pre(last !== 0);
        expect(changes(`${mantissa.slice(0, -1)}${last}e${exponent}`)).toBe(true);
      },
    ),
  );
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
