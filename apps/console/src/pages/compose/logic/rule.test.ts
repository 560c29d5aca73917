import { parseCondition, type Condition } from "@sineta/protocol";
import { expect, test } from "vitest";
import { emptyRule, expressionOf, ruleOf, topicsNamed, type Rule } from "./rule.ts";

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

test("a rule is read back from what it was written as", () => {
  for (const rule of rules) {
    const said = rule.lines.filter(({ topics }) => topics.length > 0);
    // Of one line it makes no difference whether all of them hold.
    const every = said.length === 1 || rule.every;
    const [one, other] = said;
    // Two topics, of which either will do, are one line.
    const isAlone = !every && [one, other].every((each) => each?.isIn && each.topics.length === 1);
    const joined = { isIn: true, topics: [...new Set(said.flatMap(({ topics }) => topics))] };
    expect([expressionOf(rule), ruleOf(expressionOf(rule))]).toEqual([
      expressionOf(rule),
      isAlone ? { every: true, lines: [joined] } : { every, lines: said },
    ]);
  }
});

const written = ["'a' in topics", '"b"in  topics'];
for (let depth = 0; depth < 2; depth += 1) {
  const some = written.slice(-14);
  for (const one of some) {
    written.push(`!${one}`, `!(${one})`, `( ${one} )`);
    for (const other of some.slice(0, 6)) {
      written.push(`${one} && ${other}`, `${one}||${other}`, `(${one}) || ( ${other})`);
      written.push(`! (${one} || ${other})`, `!(${one} && ${other})`);
    }
  }
}
const valid = written.filter((expression) => parseCondition(expression).ok);

test("an expression that a rule can say is read as it was meant, any other is left as it is", () => {
  let read = 0;
  for (const expression of valid) {
    const rule = ruleOf(expression);
    if (rule === null) continue;
    read += 1;
    for (const joined of subsets) {
      const [meant, said] = [expression, expressionOf(rule)].map((each) => {
        const parsed = parseCondition(each);
        return parsed.ok && holds(parsed.condition, joined);
      });
      expect([expression, joined, said]).toEqual([expression, joined, meant]);
    }
  }
  expect(read).toBeGreaterThan(40);
  expect(valid.length - read).toBeGreaterThan(40);
});

test.for([
  "'a' in topics && ('b' in topics || !('c' in topics))",
  "('a' in topics && 'b' in topics) || 'c' in topics",
  "!('a' in topics && 'b' in topics)",
  "!!('a' in topics)",
  "(('a' in topics))",
  "",
])("no rule says %s", (expression) => {
  expect(ruleOf(expression)).toBeNull();
});

test("a topic that is named twice is chosen once", () => {
  expect(ruleOf("'a' in topics || 'a' in topics")?.lines).toEqual([{ isIn: true, topics: ["a"] }]);
});

function holds(condition: Condition, joined: readonly string[]): boolean {
  if (condition.kind === "topic") return joined.includes(condition.topic);
  if (condition.kind === "not") return !holds(condition.of, joined);
  const inner = (each: Condition) => holds(each, joined);
  return condition.kind === "and" ? condition.of.every(inner) : condition.of.some(inner);
}
