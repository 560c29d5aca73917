import { expect, test } from "vitest";
import { isNamed } from "./csv-address.ts";

test.for([
  ["America/Sao_Paulo", true],
  ["UTC", true],
  ["Etc/Unknown", false],
  ["+03:00", false],
  ["", false],
] as const)("a table is asked for in the time zone %j: %j", ([timeZone, isAsked]) => {
  expect(isNamed(timeZone)).toBe(isAsked);
});
