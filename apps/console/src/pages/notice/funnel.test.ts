import { expect, test } from "vitest";
import { funnelOf, hasResult } from "./funnel.ts";

const message = (registrations: number, accepted: number, displayed: number, clicked: number) => ({
  audience: { registrations, complete: true },
  counts: { accepted, retry: 0, gone: 0, rejected: 0, failed: 0 },
  receipts: { displayed, clicked, closed: 0 },
});

const sharesOf = (...counts: Parameters<typeof message>) =>
  funnelOf(message(...counts)).map(({ share }) => share);

test("each step is a share of the step before it", () => {
  expect(funnelOf(message(200, 160, 120, 30))).toEqual([
    { name: "accepted", count: 160, of: 200, share: 0.8 },
    { name: "displayed", count: 120, of: 160, share: 0.75 },
    { name: "clicked", count: 30, of: 120, share: 0.25 },
  ]);
});

test("below ten displays the clicks have no share", () => {
  expect(sharesOf(20, 20, 9, 3)).toEqual([1, 0.45, undefined]);
});

test("of nothing there is no share", () => {
  expect(sharesOf(0, 0, 0, 0)).toEqual([undefined, undefined, undefined]);
});

test("a share is never more than the whole", () => {
  expect(sharesOf(10, 10, 12, 12)).toEqual([1, 1, 1]);
});

test("while the audience is being counted, what was accepted has no share of it", () => {
  const counting = {
    ...message(400, 400, 10, 5),
    audience: { registrations: 400, complete: false },
  };
  expect(funnelOf(counting).map(({ share }) => share)).toEqual([undefined, 0.025, 0.5]);
});

test.for([
  ["scheduled", 0, false, 0, false],
  ["sending", 0, false, 0, true],
  ["sending", 5, true, 0, true],
  ["done", 5, true, 5, true],
  ["done", 0, true, 0, false],
  ["cancelled", 0, false, 0, false],
  ["cancelled", 5, true, 0, false],
  ["cancelled", 5, true, 2, true],
] as const)(
  "%s, %d counted, counted to the end: %j, %d accepted: it has a result: %j",
  ([state, registrations, complete, accepted, expected]) => {
    const { counts } = message(registrations, accepted, 0, 0);
    expect(hasResult({ state, audience: { registrations, complete }, counts })).toBe(expected);
  },
);
