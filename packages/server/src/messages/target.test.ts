import { expect, test } from "vitest";
import type { MessageTarget } from "../store/port.ts";
import { parseTarget, targetText } from "./target.ts";

const token = "topic-user_".padEnd(43, "A");

test.for<[string, MessageTarget | null]>([
  ["all", { kind: "all" }],
  [token, { kind: "token", token }],
  ["All", { kind: "token", token: "All" }],
  ["", { kind: "token", token: "" }],
  ["topic", { kind: "token", token: "topic" }],
  ["Topic:bread", { kind: "token", token: "Topic:bread" }],
  [" user:baker", { kind: "token", token: " user:baker" }],
  ["users:baker", { kind: "token", token: "users:baker" }],
  ["topic:bread", { kind: "topic", topic: "bread" }],
  ["topic:all", { kind: "topic", topic: "all" }],
  // No topic has such a name: publish says so.
  ["topic:", { kind: "topic", topic: "" }],
  ["topic:a:b c", { kind: "topic", topic: "a:b c" }],
  ["user:baker", { kind: "user", userId: "baker" }],
  ["user:topic:bread", { kind: "user", userId: "topic:bread" }],
  ["user: baker shop@example.com ", { kind: "user", userId: " baker shop@example.com " }],
  ["user:a\nb", null],
  ["user:\u200b", null],
  ["user:a\u202eb", null],
  ["user:", null],
  [`user:${"x".repeat(128)}`, { kind: "user", userId: "x".repeat(128) }],
  [`user:${"x".repeat(129)}`, null],
])("%j", ([to, target]) => {
  const parsed = parseTarget(to);
  expect(parsed).toEqual(target);
  expect(parsed && targetText(parsed)).toBe(target && to);
});

test.for<[MessageTarget, string]>([
  [{ kind: "condition", condition: "'a' in topics" }, "'a' in topics"],
  [{ kind: "tokens", tokens: [token] }, "1 token"],
  [{ kind: "tokens", tokens: [token, "x"] }, "2 tokens"],
])("%j in a line is %j", ([target, text]) => {
  expect(targetText(target)).toBe(text);
});
