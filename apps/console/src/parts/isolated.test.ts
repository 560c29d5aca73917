import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test.for<[words: string, sentence: string]>([
  ["לחם חם.", "\u2068לחם חם.\u2069"],
  ["Pão שלום", "\u2068Pão שלום\u2069"],
  ["خبز ساخن", "\u2068خبز ساخن\u2069"],
  ["𐤀𐤁", "\u2068𐤀𐤁\u2069"],
  // A mark that is not ended would end ours.
  ["\u2069לחם\u202E", "\u2068לחם\u2069"],
  ["Pão quente.", "Pão quente."],
  ["焼きたてパン", "焼きたてパン"],
  ["", ""],
])("%j stands in a sentence as %j", ([words, sentence]) => {
  expect(isolated(words)).toBe(sentence);
});
