import { expect, test } from "vitest";
import { needsReview } from "./needs-review.ts";
import { nothingWritten, type Written } from "./written.ts";

test.for<[what: string, written: Partial<Written>, registrations: number | undefined, is: boolean]>(
  [
    ["to everybody, though there is nobody", { audience: "all" }, 0, true],
    ["to everybody, who is one", { audience: "all" }, 1, true],
    ["to one now", { audience: "topics" }, 1, false],
    ["to nobody now", { audience: "rule" }, 0, false],
    ["in the place of a scheduled notice, to nobody", { audience: "user", replaces: "m" }, 0, true],
    ["to two now", { audience: "user" }, 2, true],
    ["to it is not known how many", { audience: "browser" }, undefined, true],
    ["later, to a topic that nobody is in yet", { audience: "topics", when: "at" }, 0, true],
    ["at everybody's own time", { audience: "topics", when: "local" }, 1, true],
  ],
)("a review before what goes %s", ([, written, registrations, is]) => {
  expect(needsReview({ ...nothingWritten, ...written }, registrations)).toBe(is);
});
