import type { ExceptionOutcome } from "@sineta/protocol";

/** What is left to do about registrations that did not get a notice. */
export type NextStep = "nothing" | "automatic" | "resume" | "act";

/** The server tries these pushes again, but each fails until the operator mends the cause. */
const inNeedOfMending: ReadonlySet<string> = new Set([
  "vapid-refused",
  "refuses-all",
  "name-not-resolved",
  "connect-failed",
  "connect-timed-out",
  "tls-failed",
  "address-not-allowed",
  "sender-failed",
]);

/** The operator can do nothing about these. */
const beyondMending: ReadonlySet<string> = new Set([
  "gone",
  "withdrawn",
  "cancelled",
  "not-in-audience",
  "moved",
  "renewed",
  "keys-unusable",
  "never-accepted",
]);

/**
 * Tells whether the operator has anything to do. `automatic`: the server tries again by itself. `resume`: the server tries again when
 * an operator resumes delivery.
 */
export function nextStepOf(
  { outcome, reason }: { outcome: ExceptionOutcome; reason: string },
  isDeliveryHeld: boolean,
): NextStep {
  if (outcome === "retry" && inNeedOfMending.has(reason)) return "act";
  if (outcome === "retry") return isDeliveryHeld ? "resume" : "automatic";
  return beyondMending.has(reason) ? "nothing" : "act";
}
