import { describe, expect, test } from "vitest";
import { limits } from "./limits.ts";
import { idempotencyKeySchema, messageRequestSchema } from "./message.ts";

const smallest = { target: { kind: "all" }, notification: { title: "Olá" } };
/** Paths of what is wrong with the smallest message, changed so. */
const wrong = (change: object) =>
  messageRequestSchema
    .safeParse({ ...smallest, ...change })
    .error?.issues.map(({ path }) => path.join(".")) ?? [];
/** JSON as deep as a body can be. */
const deep: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
const brackets: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);

test("target and notification are enough, and nothing is made up", () => {
  expect(messageRequestSchema.parse(smallest)).toEqual(smallest);
});

test.for<[change: object]>([
  [{ ttlSeconds: 0 }],
  [{ ttlSeconds: limits.ttlSeconds }],
  [{ urgency: "very-low" }],
  [{ urgency: "high" }],
  [{ scheduleAt: "2026-12-01T09:00:00Z" }],
  [{ scheduleAt: "2026-12-01T09:00-03:00" }],
  [{ scheduleAt: "2026-12-01T09:00:30.5+05:45" }],
  [{ scheduleAtLocal: "2026-12-01T09:00" }],
  [{ scheduleAtLocal: "2028-02-29T23:59:59" }],
  [{ dryRun: true }],
  [{ data: {} }],
  [{ data: { order: 42, items: [{ name: "pão" }], sinetas: 1, "": null } }],
])("%j is taken as it is", ([change]) => {
  expect(messageRequestSchema.parse({ ...smallest, ...change })).toEqual({
    ...smallest,
    ...change,
  });
});

test.for<[change: object, path: string]>([
  [{ target: undefined }, "target"],
  [{ notification: undefined }, "notification"],
  [{ ttlSeconds: -1 }, "ttlSeconds"],
  [{ ttlSeconds: limits.ttlSeconds + 1 }, "ttlSeconds"],
  [{ ttlSeconds: 0.5 }, "ttlSeconds"],
  [{ ttlSeconds: "60" }, "ttlSeconds"],
  [{ ttlSeconds: null }, "ttlSeconds"],
  [{ ttlSeconds: Infinity }, "ttlSeconds"],
  [{ urgency: "HIGH" }, "urgency"],
  [{ dryRun: "yes" }, "dryRun"],
  [{ scheduleAt: "2026-12-01" }, "scheduleAt"],
  [{ scheduleAt: "2026-12-01T09:00:00" }, "scheduleAt"],
  [{ scheduleAt: "2026-02-30T09:00:00Z" }, "scheduleAt"],
  [{ scheduleAt: "2026-12-01T24:00:00Z" }, "scheduleAt"],
  [{ scheduleAt: "tomorrow" }, "scheduleAt"],
  [{ scheduleAt: 1_796_126_400_000 }, "scheduleAt"],
  [{ scheduleAtLocal: "2026-12-01T09:00Z" }, "scheduleAtLocal"],
  [{ scheduleAtLocal: "2026-12-01T09:00:00Z" }, "scheduleAtLocal"],
  [{ scheduleAtLocal: "2026-12-01T09:00-03:00" }, "scheduleAtLocal"],
  [{ scheduleAtLocal: "2026-12-01T09:00:00.5" }, "scheduleAtLocal"],
  [{ scheduleAtLocal: "2027-02-29T09:00" }, "scheduleAtLocal"],
  [{ scheduleAtLocal: "09:00" }, "scheduleAtLocal"],
  [{ data: null }, "data"],
  [{ data: [] }, "data"],
  [{ data: "{}" }, "data"],
  [{ data: { sineta: 1 } }, "data"],
  [{ data: { sineta: undefined } }, "data"],
])("%j is refused", ([change, path]) => {
  expect(new Set(wrong(change))).toEqual(new Set([path]));
});

test("collapse keys have 1 to 32 characters of base64url", () => {
  for (let length = 1; length <= 33; length += 1) {
    const collapseKey = "aZ_-09".repeat(6).slice(0, length);
    expect(wrong({ collapseKey })).toEqual(length <= 32 ? [] : ["collapseKey"]);
  }
  for (const collapseKey of ["", "a b", "a.b", "a/b", "a+b", "a=", "pão", "a\n"]) {
    expect({ collapseKey, wrong: wrong({ collapseKey }) }).toEqual({
      collapseKey,
      wrong: ["collapseKey"],
    });
  }
});

test("both kinds of schedule at once are refused, and so named", () => {
  const { error } = messageRequestSchema.safeParse({
    ...smallest,
    scheduleAt: "2026-12-01T09:00:00Z",
    scheduleAtLocal: "2026-12-01T09:00",
  });
  expect(error?.issues).toMatchObject([
    { path: ["scheduleAtLocal"], message: "either scheduleAt or scheduleAtLocal" },
  ]);
});

test("unknown fields are named, with where they stand", () => {
  const { error } = messageRequestSchema.safeParse({
    target: { kind: "all", to: "all" },
    notification: { title: "Olá", text: "x" },
    ttl: 60,
  });
  expect(error?.issues).toMatchObject([
    { code: "unrecognized_keys", path: ["target"], keys: ["to"] },
    { code: "unrecognized_keys", path: ["notification"], keys: ["text"] },
    { code: "unrecognized_keys", path: [], keys: ["ttl"] },
  ]);
});

describe("JSON that nests 100,000 levels deep overflows no stack", () => {
  test.for(["target", "notification", "data", "ttlSeconds", "scheduleAt", "unknown"])(
    "as %s",
    (field) => {
      for (const value of [deep, brackets]) expect(wrong({ [field]: value })).not.toEqual([]);
    },
  );

  test("inside of a field, and as the whole body", () => {
    expect(wrong({ data: { list: brackets } })).toEqual(["data"]);
    expect(wrong({ target: { kind: "tokens", tokens: [deep] } })).toEqual(["target.tokens.0"]);
    expect(wrong({ notification: { title: "Olá", actions: brackets } })).not.toEqual([]);
    expect(messageRequestSchema.safeParse(deep).success).toBe(false);
    expect(messageRequestSchema.safeParse(brackets).success).toBe(false);
  });

  test("data may nest 8 levels, and no more", () => {
    const levels = (count: number) =>
      JSON.parse(`${'{"a":'.repeat(count)}1${"}".repeat(count)}`) as object;
    expect(wrong({ data: levels(8) })).toEqual([]);
    expect(wrong({ data: levels(9) })).toEqual(["data"]);
  });
});

test.for([
  ["x", true],
  ["~!order-42", true],
  ["x".repeat(255), true],
  ["", false],
  ["a b", false],
  ["a\n", false],
  ["pão", false],
  ["x".repeat(256), false],
] as const)("as an Idempotency-Key, %j: %j", ([key, taken]) => {
  expect(idempotencyKeySchema.safeParse(key).success).toBe(taken);
});
