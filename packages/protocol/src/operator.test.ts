import { expect, test } from "vitest";
import { emailSchema } from "./operator.ts";

test("an e-mail address is compared in lower case, without the spaces around it", () => {
  expect(emailSchema.parse(" Ana@Padaria.example ")).toBe("ana@padaria.example");
  expect(emailSchema.parse("pão@padaria.example")).toBe("pão@padaria.example");
});

test.for([
  "ana",
  "ana@",
  "a na@padaria.example",
  "ana@padaria@example",
  "ana\u0000@padaria.example",
  "ana\u202e@padaria.example",
  "ana\ud83d@padaria.example",
  "\u3164@padaria.example",
  "ana@\u2800",
])("%j is no e-mail address", (text) => {
  expect(emailSchema.safeParse(text).success).toBe(false);
});
