import type { DeliveryBody } from "@sineta/protocol";
import { expect, test } from "vitest";
import {
  choiceFor,
  isAllOffered,
  noChoice,
  outcomeOf,
  resumeBody,
  unlistedIn,
  withChanged,
  type HeldMessage,
} from "./choice.ts";

const asOf = "2026-12-01T12:00:00.000Z";

const hold = { reason: "restored", since: "2026-12-01T10:00:00.000Z" } as const;

function message(id: string, over: Partial<HeldMessage> = {}): HeldMessage {
  return {
    id,
    title: "Pão quente",
    state: "scheduled",
    createdAt: "2026-12-01T08:00:00.000Z",
    scheduleAt: "2026-12-01T09:00:00.000Z",
    expiresAt: "2026-12-02T09:00:00.000Z",
    registrations: null,
    doubtful: true,
    fate: "cancel",
    ...over,
  };
}

/** Of the messages that would be cancelled, one is over and seven are not listed. */
const delivery: DeliveryBody = {
  state: "held",
  hold,
  asOf,
  counts: { cancel: 10, now: 1, later: 2, expire: 3 },
  messages: [
    message("a"),
    message("b"),
    message("over", { expiresAt: asOf }),
    message("now", { fate: "now" }),
  ],
};
const all = { all: true, ids: new Set<string>() };
const only = (...ids: string[]) => ({ all: false, ids: new Set(ids) });

test("without a choice a resume does what the list says", () => {
  expect(outcomeOf(delivery, noChoice)).toEqual(delivery.counts);
  expect(resumeBody(delivery, noChoice)).toEqual({ asOf, hold, send: [] });
});

test("a chosen message goes out now, if it has not expired", () => {
  const choice = only("a", "over");
  expect(outcomeOf(delivery, choice)).toEqual({ cancel: 9, now: 2, later: 2, expire: 3 });
  expect(resumeBody(delivery, choice)).toEqual({ asOf, hold, send: ["a"] });
});

test("a chosen message that has left the list is not counted", () => {
  const choice = only("gone", "now");
  expect(outcomeOf(delivery, choice)).toEqual(delivery.counts);
  expect(resumeBody(delivery, choice)).toEqual({ asOf, hold, send: [] });
});

test("with all chosen, a resume cancels no message, and expired messages are not sent", () => {
  expect(outcomeOf(delivery, all)).toEqual({ cancel: 0, now: 10, later: 2, expire: 4 });
  expect(resumeBody(delivery, all)).toEqual({ asOf, hold, sendDue: true });
});

test("a message can be chosen and left out again; leaving one out of all keeps the other listed messages", () => {
  expect(withChanged(delivery, noChoice, "a")).toEqual(only("a"));
  expect(withChanged(delivery, only("a", "b"), "a")).toEqual(only("b"));
  expect(withChanged(delivery, all, "a")).toEqual(only("b"));
});

test("a choice ends with the hold for which it was made", () => {
  const made = { hold, choice: all };
  expect(choiceFor(delivery, made)).toBe(all);
  expect(choiceFor(delivery, null)).toBe(noChoice);
  for (const other of [
    null,
    { ...hold, reason: "cloned" as const },
    { ...hold, since: "2026-12-01T10:00:00.001Z" },
  ]) {
    expect(choiceFor({ ...delivery, hold: other }, made)).toBe(noChoice);
  }
});

test("all are offered at once where two are, or where the list is cut", () => {
  const over = message("over", { expiresAt: asOf });
  const cut = (cancel: number, ...messages: HeldMessage[]) => ({
    ...delivery,
    counts: { ...delivery.counts, cancel },
    messages,
  });
  expect(isAllOffered(cut(2, message("a"), message("b")))).toBe(true);
  expect(isAllOffered(cut(2, message("a"), over))).toBe(false);
  expect(isAllOffered(cut(2, over))).toBe(true);
  expect(unlistedIn(delivery)).toBe(7);
});
