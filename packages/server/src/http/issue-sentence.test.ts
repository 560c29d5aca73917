import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import * as protocol from "@sineta/protocol";
import { refuseInvalidInput } from "./invalid-input.ts";
import { HttpProblem } from "./problem.ts";

function refusalOf(schema: z.ZodType, input: unknown): HttpProblem | null {
  try {
    const { success, error } = schema.safeParse(input);
    refuseInvalidInput({ target: "json", ...(success ? { success } : { success, error }) });
    return null;
  } catch (error) {
    if (error instanceof HttpProblem) return error;
    throw error;
  }
}

/** What an answer says of each field of the input, by its path. */
function told(schema: z.ZodType, input: unknown): Record<string, string> {
  const fields = refusalOf(schema, input)?.fields ?? [];
  return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
}

const { limits, messageRequestSchema } = protocol;

test.for<[input: unknown, Record<string, string>]>([
  [[], { "": "an object, not an array" }],
  [null, { "": "an object, not null" }],
  [{}, { target: "missing; send an object", notification: "missing; send an object" }],
  [
    { target: {}, notification: {} },
    {
      "target.kind": 'missing; send one of "all", "topic", "condition", "user", "token", "tokens"',
      "notification.title": "missing; send a string",
    },
  ],
  [
    {
      target: { kind: "everybody" },
      notification: {
        title: 5,
        tag: "",
        dir: "up",
        timestamp: 1.5,
        silent: "yes",
        actions: [3, { action: "a b", title: "Ver" }],
      },
      data: 5,
      urgency: true,
      ttlSeconds: -1,
    },
    {
      "target.kind": 'one of "all", "topic", "condition", "user", "token", "tokens"',
      "notification.title": "a string, not a number",
      "notification.tag": "at least 1 character",
      "notification.dir": 'one of "auto", "ltr", "rtl"',
      "notification.timestamp": "a whole number, not a fraction",
      "notification.silent": "true or false, not a string",
      "notification.actions.0": "an object, not a number",
      "notification.actions.1.action": "1 to 64 of A-Z a-z 0-9 _ . ~ -",
      data: "an object",
      urgency: 'one of "very-low", "low", "normal", "high"',
      ttlSeconds: "at least 0",
    },
  ],
  [
    {
      target: { kind: "tokens", tokens: [] },
      notification: {
        title: "Olá",
        tag: "a".repeat(limits.tagCharacters + 1),
        actions: Array.from({ length: limits.actions + 1 }, (_, index) => ({
          action: `${index}`,
          title: "Ver",
        })),
      },
      ttlSeconds: 1e9,
    },
    {
      "target.tokens": "at least 1 item",
      "notification.tag": `at most ${limits.tagCharacters} characters`,
      "notification.actions": `at most ${limits.actions} items`,
      ttlSeconds: "at most 2419200",
    },
  ],
])("a message, case %$", ([input, fields]) => {
  expect(told(messageRequestSchema, input)).toEqual(fields);
});

test("what is said of formats, of one value and of multiples", () => {
  const schema = z.object({
    id: z.uuid(),
    at: z.iso.datetime(),
    day: z.iso.date(),
    kind: z.literal("all"),
    step: z.number().multipleOf(5),
    any: z.custom(() => false),
  });
  const input = { id: "", at: "", day: "", kind: "", step: 3, any: 1 };
  expect(told(schema, input)).toEqual({
    id: "a UUID",
    at: "a moment such as 2026-12-01T09:00:00Z",
    day: "a date such as 2026-12-01",
    kind: '"all"',
    step: "a multiple of 5",
    any: "what /v1/openapi.json describes",
  });
});

test("what is said of a parameter that is no number, and of a number that is too large for JavaScript", () => {
  const query = z.object({ limit: z.coerce.number().int().min(1), before: z.coerce.number() });
  expect(told(query, { limit: "abc", before: "1e999" })).toEqual({
    limit: "a number",
    before: "a number",
  });
});

test("a value is told once what it should be, by its own bounds", () => {
  const schema = z.object({
    seconds: z.int().max(10),
    text: z.string().regex(/a/, "an a").regex(/b/, "an a and a b"),
  });
  const error = refusalOf(schema, { seconds: 1e300, text: "" });
  expect(error?.fields).toEqual([
    { path: "seconds", message: "at most 10" },
    { path: "text", message: "an a and a b" },
  ]);
});

test("of what a field has instead, true, null and a list are named as they are", () => {
  const schema = z.object({
    a: z.string(),
    b: z.string(),
    c: z.string(),
    d: z.record(z.string(), z.int()),
  });
  expect(told(schema, { a: true, b: null, c: [], d: "x" })).toEqual({
    a: "a string, not true",
    b: "a string, not null",
    c: "a string, not an array",
    d: "an object, not a string",
  });
});

const anyJson = fc.jsonValue({ maxDepth: 2 });

/** Objects of the schema's fields and any other value in them, and values of any kind. */
function inputsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (!(schema instanceof z.ZodObject)) return anyJson;
  const fields = Object.keys(schema.shape).map((name) => [name, anyJson] as const);
  return fc.oneof(anyJson, fc.record(Object.fromEntries(fields), { requiredKeys: [] }));
}

test("no schema of the protocol leaves zod's own words in an answer", () => {
  const schemas = Object.values(protocol).filter((each) => each instanceof z.ZodType);
  expect(schemas.length).toBeGreaterThan(50);
  for (const schema of schemas) {
    fc.assert(
      fc.property(inputsOf(schema), (input) => {
        for (const message of Object.values(told(schema, input))) {
          expect(message).not.toMatch(/^(invalid|too (small|big)|unrecognized)|, received /i);
          expect(message).not.toContain("openapi.json");
        }
      }),
      { numRuns: 20 },
    );
  }
});
