import {
  inexactNumbers,
  inexactSentence,
  limits,
  mayHaveInexactNumbers,
  messageRequestSchema,
} from "@sineta/protocol";
import { namedFields, pathOf } from "./invalid-input.ts";
import { jsonBody } from "./json-body.ts";
import { HttpProblem } from "./problem.ts";

/**
 * Reads the body of a message. It reads `scheduledAt`, which answers of the server once had, as `scheduleAt`.
 * @throws HttpProblem what `jsonBody` throws; `body-invalid` where JavaScript changes a number in `data`, and for both names of the time
 */
export const messageBody = jsonBody(limits.messageBodyBytes, messageRequestSchema, {
  rewrite(message, text) {
    const named = withPresentName(message);
    if (mayHaveInexactNumbers(text) && mayBeSent(named)) demandExact(text, "data");
    return named;
  },
});

const earlierName = "scheduledAt";

/** @throws HttpProblem `body-invalid` for a message that has a moment under either name */
function withPresentName(message: unknown): unknown {
  if (!isObject(message) || !Object.hasOwn(message, earlierName)) return message;
  const { [earlierName]: earlier, ...others } = message;
  if (earlier === null) return others;
  if (!Object.hasOwn(others, "scheduleAt")) return { ...others, scheduleAt: earlier };
  const fields = [{ path: earlierName, message: "either scheduleAt or scheduledAt" }];
  throw new HttpProblem("body-invalid", fields);
}

/** What is refused anyway may have many numbers, and to look at each takes long. */
function mayBeSent(message: unknown): boolean {
  const { success, data: request } = messageRequestSchema.safeParse(message);
  return success && JSON.stringify(request.data ?? {}).length <= limits.plaintextBytes;
}

/**
 * @param text valid JSON that does not nest deep
 * @param field whose numbers are looked at
 * @throws HttpProblem `body-invalid` where JavaScript changes a number
 */
export function demandExact(text: string, field: string): void {
  const fields = inexactNumbers(text)
    .filter(({ path }) => path[0] === field)
    .slice(0, namedFields)
    .map((number) => ({ path: pathOf(number.path), message: inexactSentence(number) }));
  if (fields.length > 0) throw new HttpProblem("body-invalid", fields);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
