import { expect, test } from "vitest";
import { nextStepOf } from "./next-step.ts";

test.for([
  ["gone", "gone", "nothing"],
  ["failed", "cancelled", "nothing"],
  ["failed", "moved", "nothing"],
  ["failed", "keys-unusable", "nothing"],
  ["failed", "never-accepted", "nothing"],
  ["retry", "service-unavailable", "automatic"],
  ["retry", "throttled", "automatic"],
  ["retry", "vapid-refused", "act"],
  ["retry", "tls-failed", "act"],
  ["rejected", "too-large", "act"],
  ["failed", "expired", "act"],
  ["failed", "a-reason-of-a-later-version", "act"],
] as const)("%s for %s: %s", ([outcome, reason, next]) => {
  expect(nextStepOf({ outcome, reason }, false)).toBe(next);
});

test("while delivery is held, what would be tried again waits for the resume", () => {
  expect(nextStepOf({ outcome: "retry", reason: "throttled" }, true)).toBe("resume");
  expect(nextStepOf({ outcome: "retry", reason: "vapid-refused" }, true)).toBe("act");
  expect(nextStepOf({ outcome: "gone", reason: "gone" }, true)).toBe("nothing");
});
