import type { DeliveryBody } from "@sineta/protocol";
import { expect, test } from "vitest";
import { waitOf } from "./delivery.ts";

const since = "2026-12-01T10:00:00.000Z";
const before = "2026-12-01T08:00:00.000Z";
const after = "2026-12-01T11:00:00.000Z";

type Reason = NonNullable<DeliveryBody["hold"]>["reason"];
type Fate = DeliveryBody["messages"][number]["fate"];

function held(reason: Reason, fate: Fate, createdAt: string): DeliveryBody {
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
        createdAt,
        scheduleAt: at,
        expiresAt: at,
        registrations: null,
        fate,
      },
    ],
  };
}

test("a notice yet to be published waits for the resume", () => {
  expect(waitOf(held("restored", "cancel", before))).toBe("now");
});

test("the page promises nothing for a notice that is not in the list", () => {
  expect(waitOf(held("restored", "cancel", before), "b")).toBe("unlisted");
});

test.each(["cancel", "now", "expire"] as const)("a listed notice has its fate: %s", (fate) => {
  expect(waitOf(held("restored", fate, before), "a")).toBe(fate);
});

test.each([
  ["restored", before, "doubtful"],
  ["cloned", before, "doubtful"],
  ["cloned", after, "later"],
  ["asked", before, "later"],
] as const)("under a hold %s, a later notice of %s is %s", (reason, createdAt, wait) => {
  expect(waitOf(held(reason, "later", createdAt), "a")).toBe(wait);
});
