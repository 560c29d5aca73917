import type { MessageStatus } from "@sineta/protocol";
import { causeOf, causeText, type Cause } from "../messages/reasons.ts";
import { printable, timeOf } from "./table.ts";

/** A push service that is held back: since when, why, what to do, and until when. */
export function heldText(held: MessageStatus["held"][number], nowMs: number): string {
  const { pushService, pushOrigin, since, nextProbeAt } = held;
  const cause = causeOf(held);
  const from = timeOf(Date.parse(since));
  return printable(
    `${pushService} (${pushOrigin}) is held back since ${from}, ${cause.code}: ${causeText(cause)} ${triedText(nextProbeAt, nowMs)}`,
  );
}

/** When a push service that is held back is tried again. */
export function triedText(nextProbeAt: string, nowMs: number): string {
  const atMs = Date.parse(nextProbeAt);
  return atMs <= nowMs
    ? "It is being tried now, or with the next push that is due."
    : `It is tried again at ${timeOf(atMs)}.`;
}

const outcomes: Record<Outcome, string> = {
  retry: "to be tried again",
  rejected: "rejected",
  failed: "failed",
};
type Outcome = MessageStatus["reasons"][number]["outcome"];

/** Why pushes were not accepted: a line for each reason, with what to do. */
export function reasonLines({ reasons }: Pick<MessageStatus, "reasons">): string[] {
  return reasons.map((each) => {
    const { pushService, outcome, registrations } = each;
    const cause = causeOf(each);
    // What is tried again while there is time has failed only because there is none left.
    const why = outcome === "failed" && cause.retried ? overText(cause) : causeText(cause);
    return printable(
      `${pushService}: ${registrations} ${outcomes[outcome]}, ${cause.code}: ${why}`.trim(),
    );
  });
}

function overText(cause: Cause): string {
  const { meaning, remedy } = causeOf({ reason: "expired", detail: "" });
  const last = causeText({ ...cause, remedy: "" });
  return `${meaning} Its last attempt: ${last} ${remedy}`;
}
