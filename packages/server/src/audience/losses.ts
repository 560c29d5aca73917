import type { AudienceLosses } from "@sineta/protocol";
import type { AudienceStore } from "../store/port.ts";

type Cause = AudienceLosses["losses"][number]["cause"];

/** Counts, by cause, the losses of the days from `from` to `to`, and those from which the registration has come back. Each loss counts under one cause. */
export async function lossesBetween(
  store: Pick<AudienceStore, "days" | "returns">,
  projectId: number,
  from: number,
  to: number,
): Promise<AudienceLosses> {
  const lost = new Map<Cause, number>();
  const returned = new Map<Cause, number>();
  const add = (counts: Map<Cause, number>, cause: Cause, count: number) =>
    counts.set(cause, (counts.get(cause) ?? 0) + count);

  for (const { left, removed, gone } of await store.days(projectId, from, to)) {
    add(lost, "left", left);
    add(lost, "removed", removed);
    add(lost, "gone", gone);
  }
  for (const { cause, wasGone, returns } of await store.returns(projectId, from, to)) {
    add(lost, cause, returns);
    // That day's `gone` has this loss, too.
    if (wasGone) add(lost, "gone", -returns);
    add(returned, cause, returns);
  }
  const losses = [...lost]
    .filter(([, count]) => count > 0)
    .map(([cause, count]) => ({ cause, lost: count, returned: returned.get(cause) ?? 0 }));
  return { losses: losses.toSorted((one, other) => other.lost - one.lost) };
}
