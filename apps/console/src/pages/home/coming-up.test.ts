import { expect, test } from "vitest";
import { comingUp } from "./coming-up.ts";

test.for([
  ["ABCD", "", "ABC", ""],
  ["ABCD", "xy", "AB", "x"],
  ["A", "xyz", "A", "xy"],
  ["", "wxyz", "", "wxy"],
  ["", "", "", ""],
] as const)(
  "of the scheduled notices “%s” and the drafts “%s”, “%s” and “%s” are shown",
  ([scheduled, drafts, shown, shownDrafts]) => {
    const chosen = comingUp(scheduled.split(""), drafts.split(""));
    expect(chosen.scheduled.join("")).toBe(shown);
    expect(chosen.drafts.join("")).toBe(shownDrafts);
  },
);
