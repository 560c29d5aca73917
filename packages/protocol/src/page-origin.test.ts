import { expect, it } from "vitest";
import { pageOriginOf, pageOriginsSchema } from "./page-origin.ts";

it.each([
  ["https://example.com", "https://example.com"],
  ["https://example.com/", "https://example.com"],
  [" HTTPS://Example.COM:443 ", "https://example.com"],
  ["http://localhost:5173", "http://localhost:5173"],
  ["http://[::1]:5173", "http://[::1]:5173"],
  ["https://padaría.example", "https://xn--padara-7va.example"],
])("%j names %j", (text, origin) => {
  expect(pageOriginOf(text)).toBe(origin);
});

it.each([
  "",
  "*",
  "https://*",
  "https://*.example.com",
  "https://example.com/loja",
  "https://example.com//",
  "https://example.com?",
  "https://example.com#",
  "https://reader@example.com",
  "https://example.com:99999",
  "https://a.example,https://b.example",
  "https:example.com",
  String.raw`https:\\example.com`,
  "example.com",
  "ftp://example.com",
  "null",
  "file:///",
  `https://${"a".repeat(300)}`,
])("%j names none", (text) => {
  expect(pageOriginOf(text)).toBeNull();
});

it("keeps a hundred at most, each once, in their order", () => {
  const read = pageOriginsSchema.parse([
    "https://b.example/",
    "https://a.example",
    "https://B.example",
  ]);
  expect(read).toEqual(["https://b.example", "https://a.example"]);
  const many = Array.from({ length: 101 }, (_each, at) => `https://${at}.example`);
  expect(pageOriginsSchema.safeParse(many).success).toBe(false);
  expect(pageOriginsSchema.parse(many.slice(1))).toEqual(many.slice(1));
});
