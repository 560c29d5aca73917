import type { BriefTarget, MessageStatus, MessageSummary, PushServiceName } from "@sineta/protocol";
import type {
  MessageTarget,
  OutcomeCounts,
  PublishedMessage,
  ReasonCount,
  Store,
} from "../store/port.ts";
import { pushServiceOf, vendorOf } from "../webpush/push-hosts.ts";
import { inOrder } from "./by-push-service.ts";

type Reason = MessageStatus["reasons"][number];

/** All that is known of a message. */
export async function statusOf(
  { messages, receipts }: Pick<Store, "messages" | "receipts">,
  message: PublishedMessage,
): Promise<MessageStatus> {
  const { id, notification, data, collapseKey, localTime, startedAtMs, endedAtMs } = message;
  const clicks = await receipts.clicksByAction(id);
  const actions = notification.actions ?? [];
  const held = await messages.heldBy(id);
  return {
    ...figuresOf(message),
    target: message.target,
    notification,
    ...(data === null ? {} : { data }),
    ttlSeconds: message.ttlSeconds,
    urgency: message.urgency,
    ...(collapseKey === null ? {} : { collapseKey }),
    ...(localTime === null ? {} : { scheduleAtLocal: localTime }),
    ...(startedAtMs === null ? {} : { startedAt: moment(startedAtMs) }),
    ...(endedAtMs === null ? {} : { endedAt: moment(endedAtMs) }),
    byPushService: byPushService(await messages.progress(id)),
    reasons: reasonsOf(await messages.reasons(id)),
    held: held.map(({ pushOrigin, reason, detail, openedAtMs, probeAtMs }) => ({
      pushService: pushServiceOf(pushOrigin),
      pushOrigin,
      reason,
      detail,
      since: moment(openedAtMs),
      nextProbeAt: moment(probeAtMs),
    })),
    // The message's own actions alone: what else a browser may have named is not shown.
    clicksByAction: Object.fromEntries(
      actions.map(({ action }) => [action, clicks.get(action) ?? 0]),
    ),
  };
}

/** A message as a line of a list. */
export function summaryOf(message: PublishedMessage): MessageSummary {
  const { target, notification, localTime } = message;
  return {
    ...figuresOf(message),
    ...(localTime === null ? {} : { scheduleAtLocal: localTime }),
    target: briefTarget(target),
    title: notification.title,
  };
}

/** Of many tokens how many they are. */
export function briefTarget(target: MessageTarget): BriefTarget {
  return target.kind === "tokens" ? { kind: "tokens", count: target.tokens.length } : target;
}

function figuresOf(
  message: PublishedMessage,
): Omit<MessageSummary, "title" | "target" | "scheduleAtLocal"> {
  const { id, state, counts, receipts, plannedCount, plannedTo, watermark } = message;
  const { replaces, replacedBy } = message;
  return {
    id,
    state,
    scheduleAt: moment(message.scheduledAtMs),
    createdAt: moment(message.createdAtMs),
    publisher: message.publisher,
    ...(replaces === null ? {} : { replaces }),
    ...(replacedBy === null ? {} : { replacedBy }),
    audience: {
      registrations: plannedCount,
      complete: watermark !== null && plannedTo >= watermark,
    },
    counts,
    unsent: unsentOf(plannedCount, counts),
    receipts,
  };
}

function byPushService(
  progress: Awaited<ReturnType<Store["messages"]["progress"]>>,
): MessageStatus["byPushService"] {
  const services = new Map<PushServiceName, { planned: number; counts: OutcomeCounts }>();
  for (const { pushService, planned, counts } of progress) {
    const name = vendorOf(pushService);
    const sum = services.get(name);
    services.set(
      name,
      sum === undefined
        ? { planned, counts }
        : { planned: sum.planned + planned, counts: added(sum.counts, counts) },
    );
  }
  const named = new Map(
    Array.from(services, ([pushService, { planned, counts }]) => [
      pushService,
      { pushService, registrations: planned, counts, unsent: unsentOf(planned, counts) },
    ]),
  );
  return inOrder(named);
}

/** By push service, with the words of the push origin that has said so most often; the most frequent first. */
function reasonsOf(counted: readonly ReasonCount[]): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const each of counted.toSorted((one, other) => other.count - one.count)) {
    const { kind: outcome, reason, detail, count } = each;
    const pushService = pushServiceOf(each.pushOrigin);
    const key = `${pushService} ${outcome} ${reason}`;
    const same = reasons.get(key);
    if (same === undefined) {
      reasons.set(key, { pushService, outcome, reason, detail, registrations: count });
    } else same.registrations += count;
  }
  return [...reasons.values()].toSorted((one, other) => other.registrations - one.registrations);
}

/**
 * How many registrations the message has not been tried at yet. Counts may run ahead while the delivery writes a checkpoint, and where
 * registrations moved to another push service. So it is at least 0.
 */
export function unsentOf(planned: number, counts: OutcomeCounts): number {
  return Math.max(0, planned - Object.values(counts).reduce((sum, count) => sum + count, 0));
}

function added(one: OutcomeCounts, other: OutcomeCounts): OutcomeCounts {
  return {
    accepted: one.accepted + other.accepted,
    gone: one.gone + other.gone,
    retry: one.retry + other.retry,
    rejected: one.rejected + other.rejected,
    failed: one.failed + other.failed,
  };
}

/** As the HTTP interface writes times. */
export function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
