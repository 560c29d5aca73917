import type { Outcome } from "../webpush/outcome.ts";

/** Which push services have fallen silent during one turn of a message. */
export type Silence = {
  /** Whether so many pushes to this push origin got no answer, one after the other, that the next would not either. */
  has(pushOrigin: string): boolean;
  note(pushOrigin: string, outcome: Outcome): void;
};

/** So many pushes without an answer, and none with one between, are a push service that hangs or is away. */
const mostUnanswered = 10;

export function createSilence(): Silence {
  const unanswered = new Map<string, number>();
  return {
    has: (pushOrigin) => (unanswered.get(pushOrigin) ?? 0) >= mostUnanswered,
    note(pushOrigin, outcome) {
      if (saysNothing(outcome)) return;
      const answered = outcome.kind !== "retry" || outcome.status !== undefined;
      unanswered.set(pushOrigin, answered ? 0 : (unanswered.get(pushOrigin) ?? 0) + 1);
    },
  };
}

/** What ended on our own side tells nothing of the push service. */
function saysNothing(outcome: Outcome): boolean {
  if (outcome.kind === "retry") {
    return outcome.reason === "sender-closed" || outcome.reason === "queue-full";
  }
  return outcome.kind === "failed";
}
