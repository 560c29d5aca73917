import { inexactNumbers, isNestedAtMost, limits } from "@sineta/protocol";
import { namedFields, pathOf } from "./invalid-input.ts";
import { jsonBody } from "./json-body.ts";
import { HttpProblem } from "./problem.ts";

/** A message has no objects further down, but for its data. */
const levels = 4;
const shownCharacters = 40;

/**
 * Reads the body of a message. Null in a field counts as its absence: many languages write it so. Within `data` it stays.
 * @throws HttpProblem what `jsonBody` throws; `body-invalid` where a number in `data` would arrive as another one
 */
export const messageBody = jsonBody(limits.messageBodyBytes, {
  rewrite(text, message) {
    const fields = inexactNumbers(text)
      .filter(({ path }) => path[0] === "data")
      .map(({ path, written, read }) => ({
        path: pathOf(path),
        message: `${written.slice(0, shownCharacters)} would arrive as ${JSON.stringify(read)}: send it as a string`,
      }));
    if (fields.length > 0) throw new HttpProblem("body-invalid", fields.slice(0, namedFields));
    // What nests deeper is refused, and could not be written.
    const mayBeWritten = isNestedAtMost(message, levels + limits.dataDepth);
    if (!text.includes("null") || !mayBeWritten) return text;
    return JSON.stringify(withoutNulls(message, levels));
  },
});

function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each, depth - 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, name === "data" ? each : withoutNulls(each, depth - 1)]),
  );
}
