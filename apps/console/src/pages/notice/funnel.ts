import type { MessageProgress } from "@sineta/protocol";
import { clickRate } from "./click-rate.ts";

/** A step on the way from the audience to a click. */
export type Step = {
  name: "accepted" | "displayed" | "clicked";
  count: number;
  /** What the step before counted. */
  of: number;
  /** `count` as a share of `of`, from 0 to 1. Undefined with too few displays, and while the audience is not counted. */
  share: number | undefined;
};

/** Follows a message from its audience to the push services, to the displays and to the clicks. */
export function funnelOf({
  audience,
  counts,
  receipts,
}: Pick<MessageProgress, "audience" | "counts" | "receipts">): [Step, Step, Step] {
  return [
    {
      name: "accepted",
      count: counts.accepted,
      of: audience.registrations,
      share: audience.complete ? shareOf(counts.accepted, audience.registrations) : undefined,
    },
    {
      name: "displayed",
      count: receipts.displayed,
      of: counts.accepted,
      share: shareOf(receipts.displayed, counts.accepted),
    },
    {
      name: "clicked",
      count: receipts.clicked,
      of: receipts.displayed,
      share: clickRate(receipts),
    },
  ];
}

/** Whether the notice went, or goes, to anyone. */
export function hasResult({
  state,
  audience,
  counts,
}: Pick<MessageProgress, "state" | "audience" | "counts">): boolean {
  if (state === "scheduled") return false;
  if (state === "cancelled") return Object.values(counts).some((count) => count > 0);
  return audience.registrations > 0 || !audience.complete;
}

/**
 * Never more than 1. A push service may accept a push while its answer gets lost. The browser reports the display all the same.
 */
function shareOf(count: number, of: number): number | undefined {
  return of === 0 ? undefined : Math.min(1, count / of);
}
