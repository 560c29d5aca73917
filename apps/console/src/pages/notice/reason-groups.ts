import type { ExceptionOutcome, MessageProgress, PushServiceName } from "@sineta/protocol";

/** Registrations with one outcome for one reason, at all push services. */
export type ReasonGroup = {
  outcome: ExceptionOutcome;
  reason: string;
  registrations: number;
  byPushService: { pushService: PushServiceName; registrations: number; detail: string }[];
};

/** Who did not simply accept the message, the largest group first. */
export function reasonGroups({
  reasons,
  counts,
  byPushService,
}: Pick<MessageProgress, "reasons" | "counts" | "byPushService">): ReasonGroup[] {
  const groups = new Map<string, ReasonGroup>();
  for (const { outcome, reason, pushService, registrations, detail } of reasons) {
    const key = `${outcome} ${reason}`;
    const group = groups.get(key) ?? { outcome, reason, registrations: 0, byPushService: [] };
    group.registrations += registrations;
    group.byPushService.push({ pushService, registrations, detail });
    groups.set(key, group);
  }
  if (counts.gone > 0) {
    const services = byPushService.filter(({ counts: own }) => own.gone > 0);
    groups.set("gone", {
      outcome: "gone",
      reason: "gone",
      registrations: counts.gone,
      byPushService: services.map(({ pushService, counts: own }) => {
        return { pushService, registrations: own.gone, detail: "" };
      }),
    });
  }
  return [...groups.values()].toSorted((one, other) => other.registrations - one.registrations);
}

/** Where the push service gave an answer, and the detail is its own words. */
const answered: ReadonlySet<string> = new Set([
  "throttled",
  "service-unavailable",
  "service-timed-out",
  "vapid-refused",
  "too-large",
  "redirect",
  "request-refused",
  "unexpected-status",
  "unavailable",
  "refuses-all",
]);

export type Cause = { code: string; detail: string; said: boolean };

/**
 * What lies behind a reason and its detail. A push service that is held back because no answer came has in its detail what came
 * instead: a code, and behind `: ` the cause.
 * @param isKnown whether the dictionary has words for a code
 */
export function causeOf(
  { reason, detail }: { reason: string; detail: string },
  isKnown: (code: string) => boolean,
): Cause {
  const [, inner = "", rest = ""] = /^([a-z-]+)(?:: (.*))?$/s.exec(detail) ?? [];
  if (reason === "unavailable" && isKnown(inner)) {
    return { code: inner, detail: rest, said: answered.has(inner) };
  }
  return { code: reason, detail, said: answered.has(reason) };
}
