import { topicNameSchema } from "@sineta/protocol";
import { expect, test } from "vitest";
import { isTechnicalName, technicalNameOf } from "./technical-name.ts";

test.for([
  ["Promoções do dia", "promocoes-do-dia"],
  ["  Pão & café!  ", "pao-cafe"],
  ["Ofertas 50%", "ofertas-50"],
  ["ﬁlmes", "filmes"],
  ["新しいパン", ""],
  ["..", ""],
  [`${"a".repeat(63)} b`, "a".repeat(63)],
  ["a".repeat(100), "a".repeat(64)],
] as const)("a topic that people call %j is %j in code", ([displayName, name]) => {
  expect(technicalNameOf(displayName)).toBe(name);
});

test.for([
  "bread",
  "a".repeat(64),
  "a".repeat(65),
  "a b",
  "pão",
  "..",
  ".",
  "...",
  "-",
  "A_b.~",
  "",
])("%j is a technical name here where it is one at the server", (name) => {
  expect(isTechnicalName(name)).toBe(topicNameSchema.safeParse(name).success);
});
