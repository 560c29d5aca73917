import {
  inexactNumbers,
  inexactSentence,
  isNestedAtMost,
  limits,
  mayHaveInexactNumbers,
  messageRequestSchema,
  notificationSchema,
} from "@sineta/protocol";
import { namedFields, pathOf } from "./invalid-input.ts";
import { jsonBody } from "./json-body.ts";
import { HttpProblem } from "./problem.ts";

/**
 * Reads the body of a message. The server treats null in an optional field as absent, because many JSON libraries write absent fields
 * as null. It reads `scheduledAt`, which its answers once had, as `scheduleAt`.
 * @throws HttpProblem what `jsonBody` throws; `body-invalid` where JavaScript changes a number in `data`, and for both names of the time
 */
export const messageBody = jsonBody(limits.messageBodyBytes, {
  rewrite(text, message) {
    // The schema refuses it. What follows calls itself for each level.
    if (!isNestedAtMost(message, 1 + limits.dataDepth)) return text;
    const named = withPresentName(message);
    // Most messages have none.
    const bare = text.includes("null") ? withoutNulls(named) : named;
    if (mayHaveInexactNumbers(text) && mayBeSent(bare)) demandExactData(text);
    return bare === message ? text : JSON.stringify(bare);
  },
});

const earlierName = "scheduledAt";

/** @throws HttpProblem `body-invalid` for a message that has a moment under either name */
function withPresentName(message: unknown): unknown {
  if (!isObject(message) || !Object.hasOwn(message, earlierName)) return message;
  const { [earlierName]: earlier, ...others } = message;
  if (earlier === null) return others;
  if (!Object.hasOwn(others, "scheduleAt") || others["scheduleAt"] === null) {
    return { ...others, scheduleAt: earlier };
  }
  const fields = [{ path: earlierName, message: "either scheduleAt or scheduledAt" }];
  throw new HttpProblem("body-invalid", fields);
}

/** What is refused anyway may have many numbers, and to look at each takes long. */
function mayBeSent(message: unknown): boolean {
  const { success, data: request } = messageRequestSchema.safeParse(message);
  return success && JSON.stringify(request.data ?? {}).length <= limits.plaintextBytes;
}

/** @throws HttpProblem `body-invalid` */
function demandExactData(text: string): void {
  const fields = inexactNumbers(text)
    .filter(({ path }) => path[0] === "data")
    .slice(0, namedFields)
    .map((number) => ({ path: pathOf(number.path), message: inexactSentence(number) }));
  if (fields.length > 0) throw new HttpProblem("body-invalid", fields);
}

type Shape = Record<string, { isOptional(): boolean }>;

function withoutNulls(message: unknown): unknown {
  const bare = withoutNullFields(message, messageRequestSchema.shape);
  if (!isObject(bare)) return bare;
  const notification = withoutNullFields(bare["notification"], notificationSchema.shape);
  if (!isObject(notification)) return bare;
  const { actions } = notification;
  if (!Array.isArray(actions)) return { ...bare, notification };
  const ofAction = notificationSchema.shape.actions.unwrap().element.shape;
  const bareActions = actions.map((action: unknown) => withoutNullFields(action, ofAction));
  return { ...bare, notification: { ...notification, actions: bareActions } };
}

function withoutNullFields(value: unknown, shape: Shape): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, each]) =>
      each !== null || !Object.hasOwn(shape, name) || shape[name]?.isOptional() === false,
  );
  return Object.fromEntries(kept);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
