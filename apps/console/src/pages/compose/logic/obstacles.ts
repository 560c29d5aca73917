import type { DryRun } from "@sineta/protocol";

/** Why a push service is left alone for now, as far as words tell it apart (docs/operating.md, "Reasons"). */
const whys = ["throttled", "vapid-refused", "refuses-all"] as const;
export type Why = (typeof whys)[number] | "unavailable";

type PushService = DryRun["byPushService"][number]["pushService"];

export type Obstacles = {
  /** How many have to wait, by why. */
  waiting: { why: Why; count: number }[];
  /** How many cannot be sent to, by reason (docs/operating.md, "Reasons"). */
  refused: { reason: string; count: number }[];
  /** How many can be sent to, now or later. */
  reached: number;
  /** How many each push service reaches. A push service that reaches none is left out. */
  services: { pushService: PushService; reached: number }[];
};

/** What keeps a notice from browsers of its audience. */
export function obstaclesOf({ byPushService }: Pick<DryRun, "byPushService">): Obstacles {
  const waiting = new Map<Why, number>();
  const refused = new Map<string, number>();
  const services: Obstacles["services"] = [];
  for (const service of byPushService) {
    let reached = service.registrations;
    for (const { reason, registrations: count } of service.refused) {
      refused.set(reason, (refused.get(reason) ?? 0) + count);
      reached -= count;
    }
    for (const { reason, registrations: count } of service.waiting) {
      const why = whys.find((each) => each === reason) ?? "unavailable";
      waiting.set(why, (waiting.get(why) ?? 0) + count);
    }
    if (reached > 0) services.push({ pushService: service.pushService, reached });
  }
  return {
    waiting: Array.from(waiting, ([why, count]) => ({ why, count })),
    refused: Array.from(refused, ([reason, count]) => ({ reason, count })),
    reached: services.reduce((sum, each) => sum + each.reached, 0),
    services,
  };
}
