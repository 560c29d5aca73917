import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { drawAhead } from "./draw-ahead.ts";

test("gives so many bytes as are asked for, none of them twice", () => {
  let next = 0;
  const draw = drawAhead((count) => Uint8Array.from({ length: count }, () => next++), 100);
  const given = [draw(32), draw(32), draw(32), draw(32), draw(100), draw(1), draw(99), draw(0)];
  expect(given.map(({ length }) => length)).toEqual([32, 32, 32, 32, 100, 1, 99, 0]);
  const bytes = Buffer.concat(given.slice(0, 4));
  expect(new Set(bytes).size).toBe(bytes.length);
});

test("what was given stays as it is when more is drawn", () => {
  const draw = drawAhead(randomBytes, 64);
  const first = draw(32);
  const before = Buffer.from(first);
  for (let count = 0; count < 10; count += 1) draw(32);
  expect(before.equals(first)).toBe(true);
});

test("asks once for many", () => {
  const source = vi.fn((count: number) => randomBytes(count));
  const draw = drawAhead(source, 320);
  const tokens = Array.from({ length: 20 }, () => Buffer.from(draw(32)).toString("hex"));
  expect(new Set(tokens).size).toBe(20);
  expect(source).toHaveBeenCalledTimes(2);
});

test("more than is drawn at once is given, too", () => {
  expect(drawAhead(randomBytes, 16)(100)).toHaveLength(100);
});
