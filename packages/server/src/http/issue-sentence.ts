import type { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** Of what JSON has; `int` is a number without a fraction. */
const typeNames: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

const formatNames: Readonly<Record<string, string>> = {
  date: "a date such as 2026-12-01",
  datetime: "a moment such as 2026-12-01T09:00:00Z",
  url: "an http:// or https:// address",
  uuid: "a UUID",
};

const asDescribed = "what /v1/openapi.json describes";

/**
 * What a field should be, in words of ours. A schema's own words come before these.
 * @param issue as zod raises it, with the input
 */
export function issueSentence(issue: Issue): string {
  const expected = expectedOf(issue);
  if (isMissing(issue)) return `missing; send ${expected}`;
  if (issue.code !== "invalid_type") return expected;
  const given = givenIn(issue);
  return given === null ? expected : `${expected}, not ${given}`;
}

/** Of the field that tells the kinds of an object apart zod gives the object, and not the field. */
function isMissing(issue: Issue): boolean {
  if (issue.code !== "invalid_union" || !("discriminator" in issue)) {
    return issue.input === undefined;
  }
  const { discriminator, input } = issue;
  return !Object.hasOwn(Object(input), String(discriminator));
}

function expectedOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? asDescribed;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      // Of the kinds of an object, told apart by one field.
      return Array.isArray(issue["options"]) ? oneOf(issue["options"]) : asDescribed;
    case "too_small":
      return counted("at least", issue.minimum, issue.origin);
    case "too_big":
      return counted("at most", issue.maximum, issue.origin);
    case "invalid_format":
      return formatNames[issue.format] ?? asDescribed;
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
    case "invalid_key":
    case "invalid_element":
    case "custom":
      return asDescribed;
    default:
      return issue satisfies never;
  }
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value));
  if (shown.length === 0) return asDescribed;
  return shown.length === 1 ? String(shown[0]) : `one of ${shown.join(", ")}`;
}

const units: Readonly<Record<string, string>> = { string: "character", array: "item" };

function counted(bound: string, count: number | bigint, origin: string): string {
  const unit = units[origin];
  if (unit === undefined) return `${bound} ${count}`;
  return `${bound} ${count} ${unit}${Number(count) === 1 ? "" : "s"}`;
}

/** Null: the words would not help. A parameter that is no number has become NaN, and 1e999 Infinity. */
function givenIn({ expected, input: value }: { expected: string; input: unknown }): string | null {
  if (typeof value === "number" && !Number.isFinite(value)) return null;
  if (expected === "int" && typeof value === "number") return "a fraction";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "boolean") return String(value);
  return typeNames[typeof value] ?? typeof value;
}
