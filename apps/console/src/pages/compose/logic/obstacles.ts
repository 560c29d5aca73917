import type { DryRun } from "@sineta/protocol";

/** Why a push service is left alone for now, as far as words tell it apart (docs/operating.md, "Reasons"). */
const whys = ["throttled", "vapid-refused", "refuses-all"] as const;
export type Why = (typeof whys)[number] | "unavailable";

/** How many have to wait, by why, and how many cannot be sent to at all. */
export function obstaclesOf({ byPushService }: Pick<DryRun, "byPushService">): {
  waiting: { why: Why; count: number }[];
  refused: number;
} {
  const waiting = new Map<Why, number>();
  let refused = 0;
  for (const service of byPushService) {
    for (const { registrations } of service.refused) refused += registrations;
    for (const { reason, registrations } of service.waiting) {
      const why = whys.find((each) => each === reason) ?? "unavailable";
      waiting.set(why, (waiting.get(why) ?? 0) + registrations);
    }
  }
  return { waiting: Array.from(waiting, ([why, count]) => ({ why, count })), refused };
}
