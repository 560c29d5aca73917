import type { RegistrationEvent, RegistrationStory } from "@sineta/protocol";

type Message = Extract<RegistrationEvent, { kind: "message" }>;

/** Why nothing arrives any more, or that it does. */
export type Why =
  | { kind: "live"; confirmedAt: string }
  /** The latest that is known of it is a message that did not get through. */
  | { kind: "liveFailing"; message: Message }
  /** The push service refuses what is sent to it. */
  | { kind: "refused"; at: string }
  | { kind: "left" | "gone" | "removed"; at: string };

const failures: ReadonlySet<Message["outcome"]> = new Set(["retry", "rejected", "failed"]);

export function whyOf(story: RegistrationStory): Why {
  const { state, endedAt, confirmedAt, events } = story;
  if (state !== "live") return { kind: state, at: endedAt ?? confirmedAt };
  const refused = events.findLast((event) => event.kind === "refused");
  if (refused !== undefined) return { kind: "refused", at: refused.at };
  const failed = events.findLast(
    (event): event is Message => event.kind === "message" && failures.has(event.outcome),
  );
  // A browser that was heard of since is fine, whatever was before.
  const isOver =
    failed === undefined ||
    confirmedAt > failed.at ||
    events.some((event) => event.kind === "receipt" && event.at > failed.at);
  if (isOver) return { kind: "live", confirmedAt };
  return { kind: "liveFailing", message: failed };
}
