import { codeOf } from "../../../api/api-problem.ts";
import type { Refusal } from "../../../api/ask.ts";
import type { CloseFlaw, Flaw, Flaws } from "./request.ts";

/** What the server refuses, by its code, where one field is meant. */
const flawsOfCodes: Readonly<Record<string, Flaw>> = {
  "topic-unknown": "unknown-topic",
  "condition-invalid": "not-a-condition",
  "token-not-found": "unknown-browser",
  "schedule-in-past": "in-past",
  "schedule-too-far": "too-far",
  "notification-too-large": "too-large",
  "body-invalid": "wrong",
};

/** What the server says of single fields; nothing where it is about the whole. */
export function flawsOf({ code, fields = [] }: Refusal): Flaws {
  const flaw = flawsOfCodes[code];
  if (flaw === undefined) return {};
  return Object.fromEntries(fields.map((field) => [field.path, closely(flaw, field)]));
}

function closely(
  flaw: Flaw,
  { name, position }: NonNullable<Refusal["fields"]>[number],
): Flaw | CloseFlaw {
  if (flaw === "unknown-topic" && name !== undefined) return { flaw, name };
  if (flaw === "not-a-condition" && position !== undefined) return { flaw, position };
  return flaw;
}

const aboutReplaced = new Set([
  "message-started",
  "message-ended",
  "message-replaced",
  "message-not-found",
]);

/** Whether the server refused it because the scheduled notice cannot be replaced any more. */
export function isAboutReplaced(error: unknown): boolean {
  return aboutReplaced.has(codeOf(error) ?? "");
}
