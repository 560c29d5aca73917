import { expect, test } from "vitest";
import { z } from "zod";
import { withoutNulls } from "./without-nulls.ts";

const schema = z.strictObject({
  needed: z.string(),
  optional: z.string().optional(),
  withDefault: z.string().default("x"),
  nullable: z.string().nullable().optional(),
  list: z.array(z.strictObject({ optional: z.string().optional() })).optional(),
  any: z.custom<unknown>(() => true),
  kind: z
    .discriminatedUnion("is", [
      z.strictObject({ is: z.literal("a"), a: z.string() }),
      z.strictObject({ is: z.literal("b"), b: z.string(), more: z.string().optional() }),
    ])
    .optional(),
});

test.for<[value: unknown, kept: unknown]>([
  [{ optional: null, withDefault: null, list: null, kind: null }, {}],
  [
    { needed: null, nullable: null, unknown: null, toString: null },
    { needed: null, nullable: null, unknown: null, toString: null },
  ],
  [{ list: [{ optional: null }, null] }, { list: [{}, null] }],
  [{ any: { optional: null } }, { any: { optional: null } }],
  [{ kind: { is: "a", a: null, b: null, more: null } }, { kind: { is: "a", a: null } }],
  [
    { kind: { is: "b", b: "x", a: null, more: null, c: null } },
    { kind: { is: "b", b: "x", c: null } },
  ],
  [{ kind: { is: null, b: null } }, { kind: { is: null, b: null } }],
  [JSON.parse('{"__proto__":null}'), JSON.parse('{"__proto__":null}')],
  [null, null],
  [[null], [null]],
  ["text", "text"],
])("of %j is left %j", ([value, kept]) => {
  expect(withoutNulls(value, schema)).toEqual(kept);
});
