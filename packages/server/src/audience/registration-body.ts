import type {
  RegistrationEvent,
  RegistrationStory as StoryBody,
  RegistrationSummary,
} from "@sineta/protocol";
import type { ListedRegistration, RegistrationStory } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";

/** A registration as operators see it. */
export function summaryBody(registration: ListedRegistration): RegistrationSummary {
  const { token, state, browser, system, language, origin, userId, endedAtMs } = registration;
  return {
    token,
    state,
    pushService: pushServiceOf(registration.pushOrigin),
    browser,
    system,
    language,
    origin,
    ...(userId === null ? {} : { userId }),
    registeredAt: timeOf(registration.createdAtMs),
    confirmedAt: timeOf(registration.refreshedAtMs),
    ...(endedAtMs === null ? {} : { endedAt: timeOf(endedAtMs) }),
  };
}

/** @param limit as the store was asked for: where there are so many, there may be more */
export function storyBody(story: RegistrationStory, limit: number): StoryBody {
  const { locale, timeZone, generation, topics, exceptions, receipts } = story;
  return {
    ...summaryBody(story),
    ...(locale === null ? {} : { locale }),
    ...(timeZone === null ? {} : { timeZone }),
    generation,
    topics: topics.map(({ name, displayName, policy }) => ({ name, displayName, policy })),
    events: eventsOf(story),
    more: exceptions.length === limit || receipts.length === limit,
  };
}

/** What happened at the same moment stands in the order in which it must have happened. */
function eventsOf(story: RegistrationStory): RegistrationEvent[] {
  const { createdAtMs, refreshedAtMs, renewedAtMs, generation, loss, endedAtMs, state } = story;
  const events: { atMs: number; event: RegistrationEvent }[] = [];
  const add = (atMs: number, event: DistributedOmit<RegistrationEvent, "at">) =>
    events.push({ atMs, event: { ...event, at: timeOf(atMs) } });

  add(createdAtMs, { kind: "registered" });
  for (const { name, joinedAtMs } of story.topics) add(joinedAtMs, { kind: "joined", topic: name });
  if (loss !== null) {
    const { cause, goneAtMs, returnedAtMs, times } = loss;
    const known = goneAtMs === null ? {} : { goneAt: timeOf(goneAtMs) };
    add(returnedAtMs, { kind: "returned", cause, ...known, times });
  }
  if (renewedAtMs !== null) add(renewedAtMs, { kind: "renewed", times: generation - 1 });
  if (refreshedAtMs !== createdAtMs && refreshedAtMs !== renewedAtMs) {
    add(refreshedAtMs, { kind: "confirmed" });
  }
  for (const { atMs, ...exception } of story.exceptions) {
    add(atMs, { kind: "message", ...exception });
  }
  for (const { atMs, action, ...receipt } of story.receipts) {
    add(atMs, { kind: "receipt", ...receipt, ...(action === null ? {} : { action }) });
  }
  if (story.refusedAtMs !== null) add(story.refusedAtMs, { kind: "refused" });
  if (endedAtMs !== null && state !== "live") add(endedAtMs, { kind: "ended", state });
  return events.toSorted((one, other) => one.atMs - other.atMs).map(({ event }) => event);
}

type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown
  ? Omit<Union, Key>
  : never;

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
