import { expect, test } from "vitest";
import { displayNameOf, topicLabels } from "./use-topics.ts";

const topics = [
  { name: "promocoes", displayName: "Promoções" },
  { name: "promocoes-2", displayName: "Promoções" },
  { name: "receitas", displayName: "receitas" },
  { name: "bolos", displayName: "Bolos" },
];

test("topics that people call the same are told apart by their technical names", () => {
  expect([...topicLabels(topics).values()]).toEqual([
    "Promoções · promocoes",
    "Promoções · promocoes-2",
    "receitas",
    "Bolos",
  ]);
});

test("a topic that the project does not have is called by its technical name", () => {
  expect(displayNameOf(topics, "bolos")).toBe("Bolos");
  expect(displayNameOf(topics, "gone")).toBe("gone");
  expect(displayNameOf(undefined, "bolos")).toBe("bolos");
});
