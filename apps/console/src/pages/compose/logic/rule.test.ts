import { parseCondition, type Condition } from "@sineta/protocol";
import { expect, test } from "vitest";
import { emptyRule, expressionOf, topicsNamed, type Rule } from "./rule.ts";

test.for([
  [emptyRule, ""],
  [{ every: true, lines: [{ isIn: true, topics: ["bread"] }] }, "'bread' in topics"],
  [
    { every: true, lines: [{ isIn: true, topics: ["bread", "cake"] }] },
    "'bread' in topics || 'cake' in topics",
  ],
  [{ every: true, lines: [{ isIn: false, topics: ["bread"] }] }, "!('bread' in topics)"],
  [
    {
      every: true,
      lines: [
        { isIn: true, topics: ["bread", "cake"] },
        { isIn: true, topics: [] },
        { isIn: false, topics: ["pie"] },
      ],
    },
    "('bread' in topics || 'cake' in topics) && !('pie' in topics)",
  ],
  [
    {
      every: false,
      lines: [
        { isIn: true, topics: ["bread"] },
        { isIn: false, topics: ["pie", "cake"] },
      ],
    },
    "'bread' in topics || !('pie' in topics || 'cake' in topics)",
  ],
] as const satisfies [Rule, string][])("%j is written %s", ([rule, expression]) => {
  expect(expressionOf(rule)).toBe(expression);
});

const subsets = [[], ["a"], ["b"], ["a", "b"]];
const lines = subsets.flatMap((topics) => [
  { isIn: true, topics },
  { isIn: false, topics },
]);
const rules: Rule[] = [true, false]
  .flatMap((every) =>
    lines.flatMap((one) => lines.map((other) => ({ every, lines: [one, other] }))),
  )
  .filter((rule) => topicsNamed(rule) > 0);

test("the server reads every rule that says something, and as it was meant", () => {
  expect(rules).toHaveLength(120);
  for (const rule of rules) {
    const parsed = parseCondition(expressionOf(rule));
    if (!parsed.ok) throw new Error(`${expressionOf(rule)}: ${parsed.expected}`);
    const said = rule.lines.filter(({ topics }) => topics.length > 0);
    for (const joined of subsets) {
      const says = ({ isIn, topics }: Rule["lines"][number]) =>
        topics.some((topic) => joined.includes(topic)) === isIn;
      const meant = rule.every ? said.every(says) : said.some(says);
      expect([rule, joined, holds(parsed.condition, joined)]).toEqual([rule, joined, meant]);
    }
  }
});

function holds(condition: Condition, joined: readonly string[]): boolean {
  if (condition.kind === "topic") return joined.includes(condition.topic);
  if (condition.kind === "not") return !holds(condition.of, joined);
  const inner = (each: Condition) => holds(each, joined);
  return condition.kind === "and" ? condition.of.every(inner) : condition.of.some(inner);
}
