import type { DeliveryBody } from "@sineta/protocol";
import { expect, test } from "vitest";
import { waitOf } from "./delivery.ts";

const since = "2026-12-01T10:00:00.000Z";

type Reason = NonNullable<DeliveryBody["hold"]>["reason"];
type Fate = DeliveryBody["messages"][number]["fate"];

function held(reason: Reason, fate: Fate, doubtful = false): DeliveryBody {
  const at = "2026-12-02T09:00:00.000Z";
  return {
    state: "held",
    hold: { reason, since },
    asOf: "2026-12-01T12:00:00.000Z",
    counts: { cancel: 0, now: 0, later: 0, expire: 0, [fate]: 101 },
    messages: [
      {
        id: "a",
        title: "Ceia",
        state: "scheduled",
        createdAt: since,
        scheduleAt: at,
        expiresAt: at,
        registrations: null,
        doubtful,
        fate,
      },
    ],
  };
}

test("a notice yet to be published waits for the resume", () => {
  expect(waitOf(held("restored", "cancel", true), { request: {} })).toBe("now");
  expect(waitOf(held("restored", "later"), { request: { replaces: "a" } })).toBe("now");
});

test.each([
  ["cancel", "cancel"],
  ["later", "doubtful"],
  ["now", "doubtful"],
  ["expire", "doubtful"],
] as const)("a notice in the place of a doubtful one whose fate is %s is: %s", (fate, wait) => {
  expect(waitOf(held("restored", fate, true), { request: { replaces: "a" } })).toBe(wait);
});

test("the page promises nothing for a notice that is not in the list", () => {
  expect(waitOf(held("restored", "cancel", true), { id: "b" })).toBe("unlisted");
});

test.each(["cancel", "now", "expire"] as const)("a listed notice has its fate: %s", (fate) => {
  expect(waitOf(held("restored", fate, fate === "cancel"), { id: "a" })).toBe(fate);
});

test("a doubtful notice that would go at once may be cancelled, too", () => {
  expect(waitOf(held("restored", "now", true), { id: "a" })).toBe("doubtful");
});

test.each([
  ["restored", true, "doubtful"],
  ["cloned", false, "later"],
  ["asked", false, "later"],
] as const)("under a hold %s, a later notice (doubtful: %s) is %s", (reason, doubtful, wait) => {
  expect(waitOf(held(reason, "later", doubtful), { id: "a" })).toBe(wait);
});
