import { limits } from "./limits.ts";
import { topicNameSchema } from "./topic.ts";

/** Which topics a registration has to be in, and which not. */
export type Condition =
  | { kind: "topic"; topic: string }
  | { kind: "not"; of: Condition }
  | { kind: "and" | "or"; of: Condition[] };

export type ParsedCondition =
  | { ok: true; condition: Condition; topics: string[] }
  /** `position` counts characters from 1; at the end it is one beyond the last. */
  | { ok: false; position: number; expected: string };

type Token = { text: string; at: number };

/** Deeper than anybody writes, and far from any stack's end. */
const mostNested = 50;

/**
 * Reads a condition in FCM's syntax ("Send messages to topics", section "Target device groups"):
 * `'a' in topics && ('b' in topics || !('c' in topics))`.
 *
 * FCM reads from left to right, most languages let && bind more than ||. Where the two readings differ (an && behind an
 * || of the same level), parentheses are demanded: who wrote it knows what was meant, and nobody else does.
 */
export function parseCondition(text: string): ParsedCondition {
  const topics = new Set<string>();
  const tokens = tokensOf(text);
  let next = 0;

  function fail(expected: string, token = tokens[next]): never {
    throw new ConditionError(token === undefined ? text.length + 1 : token.at + 1, expected);
  }
  function take(expected: string): void {
    if (tokens[next]?.text !== expected) fail(expected === "in" ? "in topics" : expected);
    next += 1;
  }

  function demandRoom(depth: number): void {
    if (depth > mostNested) fail(`at most ${mostNested} levels of ( and !`);
  }

  function either(depth: number): Condition {
    demandRoom(depth);
    let left = single(depth);
    let sawOr = false;
    for (let operator = tokens[next]; operator !== undefined; operator = tokens[next]) {
      if (operator.text !== "&&" && operator.text !== "||") break;
      if (operator.text === "||") sawOr = true;
      else if (sawOr) fail("parentheses, because && stands behind ||");
      next += 1;
      const kind = operator.text === "&&" ? "and" : "or";
      const right = single(depth);
      left = left.kind === kind ? { kind, of: [...left.of, right] } : { kind, of: [left, right] };
    }
    return left;
  }

  function single(depth: number): Condition {
    const token = tokens[next];
    if (token?.text === "!") {
      demandRoom(depth);
      next += 1;
      return { kind: "not", of: single(depth + 1) };
    }
    if (token?.text === "(") {
      next += 1;
      const inner = either(depth + 1);
      take(")");
      return inner;
    }
    const name = /^(['"])(.*)\1$/s.exec(token?.text ?? "")?.[2];
    if (token === undefined || name === undefined) fail("a topic in quotes, ! or (");
    if (!topicNameSchema.safeParse(name).success) {
      fail("a topic of 1 to 64 of A-Z a-z 0-9 _ . ~ -", token);
    }
    next += 1;
    take("in");
    take("topics");
    topics.add(name);
    if (topics.size > limits.conditionTopics) {
      fail(`at most ${limits.conditionTopics} topics`, token);
    }
    return { kind: "topic", topic: name };
  }

  try {
    const condition = either(0);
    if (next < tokens.length) fail("&&, || or the end");
    return { ok: true, condition, topics: [...topics] };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { ok: false, position: error.position, expected: error.expected };
  }
}

class ConditionError extends Error {
  readonly position: number;
  readonly expected: string;

  constructor(position: number, expected: string) {
    super(expected);
    this.position = position;
    this.expected = expected;
  }
}

/** Words, operators and quoted names; whatever else there is, character by character, for the reader to stumble on. */
function tokensOf(text: string): Token[] {
  const pattern = /'[^']*'|"[^"]*"|&&|\|\||[!()]|\w+|\S/g;
  return Array.from(text.matchAll(pattern), (match) => ({ text: match[0], at: match.index }));
}
