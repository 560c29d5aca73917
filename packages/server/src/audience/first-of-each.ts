import type { PushService } from "../webpush/push-hosts.ts";

/** Of one push service: anybody can bring thousands of hosts that accept nothing. */
const mostShown = 5;

/**
 * The first few of each push service, in their order.
 * @returns how many more there are, by push service
 */
export function firstOfEach<Item extends { pushService: PushService }>(
  items: readonly Item[],
): { shown: Item[]; more: Map<PushService, number> } {
  const shown = new Map<PushService, number>();
  const more = new Map<PushService, number>();
  const isShown = ({ pushService }: Item) => {
    const before = shown.get(pushService) ?? 0;
    const counts = before < mostShown ? shown : more;
    counts.set(pushService, (counts.get(pushService) ?? 0) + 1);
    return before < mostShown;
  };
  return { shown: items.filter(isShown), more };
}
