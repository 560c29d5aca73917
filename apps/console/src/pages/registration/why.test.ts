import type { RegistrationEvent, RegistrationStory } from "@sineta/protocol";
import { describe, expect, test } from "vitest";
import { whyOf } from "./why.ts";

const confirmedAt = "2026-11-20T10:00:00.000Z";
const later = "2026-11-21T10:00:00.000Z";
const last = "2026-11-22T10:00:00.000Z";
const message = {
  kind: "message",
  messageId: "019ac000-0000-7000-8000-000000000000",
  title: "Pão quente",
  reason: "service-unavailable",
  detail: "",
  attempts: 3,
  at: later,
} as const;

function story(over: Partial<RegistrationStory>): RegistrationStory {
  return {
    token: "t",
    state: "live",
    pushService: "fcm",
    browser: "chrome",
    system: "linux",
    language: "pt",
    origin: "https://site.example",
    registeredAt: confirmedAt,
    confirmedAt,
    generation: 1,
    topics: [],
    events: [{ kind: "registered", at: confirmedAt }],
    more: false,
    ...over,
  };
}

describe("why it stopped", () => {
  test("it did not", () => {
    expect(whyOf(story({}))).toEqual({ kind: "live", confirmedAt });
  });

  test.for(["left", "gone", "removed"] as const)("it was %s", (state) => {
    expect(whyOf(story({ state, endedAt: later }))).toEqual({ kind: state, at: later });
  });

  test.for(["retry", "rejected", "failed"] as const)("the last message was %s", (outcome) => {
    expect(whyOf(story({ events: [{ ...message, outcome }] }))).toEqual({
      kind: "liveFailing",
      message: { ...message, outcome },
    });
  });

  test("the push service refuses it, whatever else failed", () => {
    const events: RegistrationEvent[] = [
      { kind: "refused", at: later },
      { ...message, outcome: "failed" },
    ];
    expect(whyOf(story({ events, confirmedAt: last }))).toEqual({ kind: "refused", at: later });
    const ended = story({ events, state: "gone", endedAt: last });
    expect(whyOf(ended)).toEqual({ kind: "gone", at: last });
  });

  test("what was accepted, or failed before the browser was heard of again, says nothing", () => {
    const failed: RegistrationEvent = { ...message, outcome: "failed" };
    const live = { kind: "live" };
    expect(whyOf(story({ events: [{ ...message, outcome: "accepted" }] }))).toMatchObject(live);
    expect(whyOf(story({ events: [failed], confirmedAt: last }))).toMatchObject(live);
    const { messageId, title } = message;
    const seen = { kind: "receipt", event: "displayed", at: last, messageId, title } as const;
    expect(whyOf(story({ events: [failed, seen] }))).toMatchObject(live);
    const before = { ...seen, at: confirmedAt };
    expect(whyOf(story({ events: [before, failed] }))).toMatchObject({ kind: "liveFailing" });
  });
});
