import { expect, test } from "vitest";
import { limits } from "./limits.ts";
import { briefTargetSchema, targetSchema } from "./target.ts";

const token = "A".repeat(43);
const tokens = (count: number) => Array.from({ length: count }, (_, index) => `${token}${index}`);

test.for<[target: object]>([
  [{ kind: "all" }],
  [{ kind: "topic", topic: "bread" }],
  [{ kind: "condition", condition: "'a' in topics" }],
  // Its syntax is read when the message is published, which names the position.
  [{ kind: "condition", condition: "'a' in" }],
  [{ kind: "condition", condition: "x".repeat(1000) }],
  [{ kind: "user", userId: "baker shop" }],
  [{ kind: "token", token }],
  [{ kind: "tokens", tokens: [token] }],
  [{ kind: "tokens", tokens: tokens(limits.tokensPerRequest) }],
])("%j is a target", ([target]) => {
  expect(targetSchema.parse(target)).toEqual(target);
});

test.for<[target: unknown, path: string]>([
  [null, ""],
  ["all", ""],
  [{}, "kind"],
  [{ kind: "everybody" }, "kind"],
  [{ kind: "topic" }, "topic"],
  [{ kind: "topic", topic: "a b" }, "topic"],
  [{ kind: "topic", topic: ".." }, "topic"],
  [{ kind: "topic", topic: "x".repeat(65) }, "topic"],
  [{ kind: "condition", condition: "" }, "condition"],
  [{ kind: "condition", condition: "x".repeat(1001) }, "condition"],
  [{ kind: "user", userId: "" }, "userId"],
  [{ kind: "user", userId: "x".repeat(129) }, "userId"],
  [{ kind: "user", userId: "\ud800" }, "userId"],
  [{ kind: "user", userId: "a\u0000b" }, "userId"],
  [{ kind: "user", userId: "a\nb" }, "userId"],
  [{ kind: "user", userId: "\u200b" }, "userId"],
  [{ kind: "user", userId: " " }, "userId"],
  [{ kind: "user", userId: "a\u202eb" }, "userId"],
  [{ kind: "token", token: "" }, "token"],
  [{ kind: "token", token: "x".repeat(101) }, "token"],
  [{ kind: "tokens", tokens: [] }, "tokens"],
  [{ kind: "tokens", tokens: [token, ""] }, "tokens.1"],
  [{ kind: "tokens", tokens: tokens(1001) }, "tokens"],
  [{ kind: "tokens", tokens: { 0: token, length: 1 } }, "tokens"],
])("%j is none", ([target, path]) => {
  const { error } = targetSchema.safeParse(target);
  expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
});

test("knows no other fields: who writes all and a topic may mean either", () => {
  const { error } = targetSchema.safeParse({ kind: "all", topic: "bread" });
  expect(error?.issues).toMatchObject([{ code: "unrecognized_keys", keys: ["topic"] }]);
});

test("a brief target is the same, but for many tokens, of which it has the count", () => {
  const topic = { kind: "topic", topic: "bread" };
  expect(briefTargetSchema.parse(topic)).toEqual(topic);
  const brief = { kind: "tokens", count: 3 };
  expect(briefTargetSchema.parse(brief)).toEqual(brief);
  expect(briefTargetSchema.safeParse({ kind: "tokens", tokens: [token] }).success).toBe(false);
});
