/** Conditions that are built by clicking: a few lines, each "is in any of these topics" or "is in none of them". */
export type RuleLine = { isIn: boolean; topics: string[] };
/** Holds if every one of its lines does, or any of them. Lines without a topic say nothing. */
export type Rule = { every: boolean; lines: RuleLine[] };

export const emptyRule: Rule = { every: true, lines: [{ isIn: true, topics: [] }] };

/** The lines that say something. */
export function saidLines({ lines }: Rule): RuleLine[] {
  return lines.filter(({ topics }) => topics.length > 0);
}

/** How many topics are named, each once: a condition may name so many. */
export function topicsNamed(rule: Rule): number {
  return new Set(rule.lines.flatMap(({ topics }) => topics)).size;
}

/**
 * The rule in the syntax that the server reads (packages/protocol/src/condition.ts); empty for a rule that says
 * nothing. Topics' names hold no quotes.
 */
export function expressionOf(rule: Rule): string {
  const parts = saidLines(rule).map(({ isIn, topics }) => {
    const any = topics.map((topic) => `'${topic}' in topics`).join(" || ");
    if (!isIn) return `!(${any})`;
    return topics.length > 1 ? `(${any})` : any;
  });
  const [only] = parts;
  // Alone, it needs no parentheses.
  if (only !== undefined && parts.length === 1) return only.replace(/^\((.*)\)$/, "$1");
  return parts.join(rule.every ? " && " : " || ");
}

const topic = String.raw`(?:'[^']*'|"[^"]*")\s*in\s+topics`;
const anyTopic = String.raw`${topic}(?:\s*\|\|\s*${topic})*`;
const line = String.raw`!?\s*(?:${topic}|\(\s*${anyTopic}\s*\))`;
const lineAlone = new RegExp(String.raw`^\s*${anyTopic}\s*$`);
const linesWith = (operator: string) =>
  new RegExp(String.raw`^\s*${line}(?:\s*${operator}\s*${line})*\s*$`);
const everyLine = linesWith("&&");
const anyLine = linesWith(String.raw`\|\|`);

/**
 * The rule that says what an expression says.
 * @param expression one that the server reads
 * @returns null where lines cannot say it
 */
export function ruleOf(expression: string): Rule | null {
  if (lineAlone.test(expression)) return { every: true, lines: [lineOf(expression)] };
  const every = everyLine.test(expression);
  if (!every && !anyLine.test(expression)) return null;
  const lines = expression.match(new RegExp(line, "g")) ?? [];
  return { every, lines: lines.map(lineOf) };
}

function lineOf(text: string): RuleLine {
  const names = Array.from(text.matchAll(/'([^']*)'|"([^"]*)"/g), ([, one, other]) => one ?? other);
  const topics = [...new Set(names.filter((name) => name !== undefined))];
  return { isIn: !text.trimStart().startsWith("!"), topics };
}
