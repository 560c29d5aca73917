import type { Sink } from "@sineta/push-lab";

/** How many pushes each path has taken. The paths of all push services together, so each must be one's own. */
export function takenPaths({ origins, accepted }: Pick<Sink, "origins" | "accepted">) {
  const taken = new Map<string, number>();
  for (const origin of origins) {
    for (const [path, times] of accepted(origin)) taken.set(path, times);
  }
  return taken;
}
