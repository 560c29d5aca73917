import { httpErrors } from "@sineta/protocol";
import { expect, test } from "vitest";
import { problems as en } from "./en/problems.ts";
import { problems as es } from "./es/problems.ts";
import { problems as pt } from "./pt/problems.ts";

const ownCodes = ["offline", "server-unreachable", "unexpected"];
const codes = [...Object.keys(httpErrors), ...ownCodes];

test.for(Object.entries({ pt, en, es }))("every error code has its sentence: %s", ([, texts]) => {
  expect(Object.keys(texts).toSorted()).toEqual(codes.toSorted());
  for (const [code, text] of Object.entries(texts)) {
    expect([code, text]).toEqual([code, expect.stringMatching(/^[\p{Lu}¿¡].{10,}\.$/u)]);
  }
});

test.for(Object.entries({ en, es }))("no sentence is left in Portuguese: %s", ([, texts]) => {
  const portuguese = new Set<string>(Object.values(pt));
  expect(Object.values(texts).filter((text) => portuguese.has(text))).toEqual([]);
});
