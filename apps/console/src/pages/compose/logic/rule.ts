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
