import { expect, test } from "vitest";
import { audience as enAudience } from "./en/audience.ts";
import { notices as enNotices } from "./en/notices.ts";
import { audience as esAudience } from "./es/audience.ts";
import { notices as esNotices } from "./es/notices.ts";
import { audience as ptAudience } from "./pt/audience.ts";
import { notices as ptNotices } from "./pt/notices.ts";

test("a state of a notice has one word, wherever it stands", () => {
  expect(ptAudience.messageStates).toEqual(ptNotices.states);
  expect(enAudience.messageStates).toEqual(enNotices.states);
  expect(esAudience.messageStates).toEqual(esNotices.states);
});
