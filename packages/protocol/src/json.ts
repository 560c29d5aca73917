import { z } from "zod";

/** What JSON can say. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [name: string]: JsonValue };

/**
 * Whether a value nests at most so deep; a bare value has depth 0, `{}` and `{ "a": 1 }` have 1. Walks level by level
 * instead of calling itself: whoever sends a hundred thousand brackets must not overflow a stack.
 */
export function isNestedAtMost(value: unknown, depth: number): boolean {
  let level = [value].filter(isContainer);
  for (let left = depth; level.length > 0; left -= 1) {
    if (left === 0) return false;
    level = level.flatMap((each) => Object.values(each)).filter(isContainer);
  }
  return true;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Any JSON object whose values nest at most so deep. Looked at without calling itself, so any input may come. */
export function jsonObjectSchema(depth: number) {
  return z
    .custom<Record<string, JsonValue>>(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      "an object",
    )
    .refine((value) => isNestedAtMost(value, depth), `nests deeper than ${depth} levels`);
}
