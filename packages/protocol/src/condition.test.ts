import { describe, expect, test } from "vitest";
import { parseCondition, type Condition } from "./condition.ts";

const topic = (name: string): Condition => ({ kind: "topic", topic: name });
const not = (of: Condition): Condition => ({ kind: "not", of });
const and = (...of: Condition[]): Condition => ({ kind: "and", of });
const or = (...of: Condition[]): Condition => ({ kind: "or", of });

const readable: [text: string, condition: Condition][] = [
  ["'a' in topics", topic("a")],
  ['"a" in topics', topic("a")],
  ["  'a'  in\ttopics ", topic("a")],
  ["!('c' in topics)", not(topic("c"))],
  ["!'c' in topics", not(topic("c"))],
  ["!!('c' in topics)", not(not(topic("c")))],
  ["'a' in topics && 'b' in topics && 'c' in topics", and(topic("a"), topic("b"), topic("c"))],
  [
    "'a' in topics && ('b' in topics || !('c' in topics))",
    and(topic("a"), or(topic("b"), not(topic("c")))),
  ],
  ["'a' in topics && 'b' in topics || 'c' in topics", or(and(topic("a"), topic("b")), topic("c"))],
  ["'a' in topics&&('b' in topics)", and(topic("a"), topic("b"))],
  [
    "('a' in topics || 'b' in topics) && 'c' in topics",
    and(or(topic("a"), topic("b")), topic("c")),
  ],
];

const unreadable: [text: string, position: number, expected: RegExp][] = [
  ["", 1, /a topic in quotes/],
  ["a in topics", 1, /a topic in quotes/],
  ["'a'", 4, /in topics/],
  ["'a' in", 7, /topics/],
  ["'a' in topic", 8, /topics/],
  ["'a' in topics &&", 17, /a topic in quotes/],
  ["'a' in topics & 'b' in topics", 15, /&&, \|\| or the end/],
  ["'a' in topics 'b' in topics", 15, /&&, \|\| or the end/],
  ["('a' in topics", 15, /\)/],
  ["'a' in topics)", 14, /&&, \|\| or the end/],
  ["'a' in topics || 'b' in topics && 'c' in topics", 32, /parentheses/],
  ["'a b' in topics", 1, /a topic of 1 to 64/],
  ["'' in topics", 1, /a topic of 1 to 64/],
  ["'a in topics", 1, /a topic in quotes/],
  ["'a' in topics; drop table messages", 14, /the end/],
];

describe("parseCondition", () => {
  test.for(readable)("reads %s", ([text, condition]) => {
    expect(parseCondition(text)).toMatchObject({ ok: true, condition });
  });

  test.for(unreadable)("refuses %s at %i", ([text, position, expected]) => {
    expect(parseCondition(text)).toEqual({
      ok: false,
      position,
      expected: expect.stringMatching(expected),
    });
  });

  test("names each topic once", () => {
    const text = "'a' in topics && ('b' in topics || !('a' in topics))";
    expect(parseCondition(text)).toMatchObject({ topics: ["a", "b"] });
  });

  test("has a bound for topics and for parentheses", () => {
    const names = (count: number) =>
      Array.from({ length: count }, (_, index) => `'t${index}' in topics`).join(" || ");
    expect(parseCondition(names(20))).toMatchObject({ ok: true });
    expect(parseCondition(names(21))).toMatchObject({ ok: false, expected: "at most 20 topics" });
    for (const open of ["(", "!"]) {
      const deep = `${open.repeat(100_000)}'a' in topics`;
      expect(parseCondition(deep)).toMatchObject({ ok: false, position: 52 });
    }
  });
});
