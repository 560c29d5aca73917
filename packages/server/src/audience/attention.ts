import type { Attention, AttentionItem } from "@sineta/protocol";
import { holdBody } from "../delivery/held-list.ts";
import { ownReasons } from "../webpush/outcome.ts";
import type { UnknownKeys } from "../registrations/unknown-keys.ts";
import type { PushOriginKey, Store } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { firstOfEach } from "./first-of-each.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Of a quota: from here on somebody should know. */
const nearly = 0.9;
/** What is removed once an hour and in portions may be late by so much. */
const lateMs = 2 * dayMs;
/** Whoever looks again within so long gets the same answer: some of it is read from all that is being sent. */
const keptMs = 5_000;

export type AttentionParts = {
  store: {
    breakers: Pick<Store["breakers"], "list">;
    delivery: Pick<Store["delivery"], "notAccepting" | "queue" | "waitingAt">;
    projects: Pick<Store["projects"], "vapidKeys" | "settings" | "usage">;
    hold: Pick<Store["hold"], "find">;
    retention: Pick<Store["retention"], "oldestEnded">;
  };
  /** The origins whose pages have an unknown VAPID key. */
  unknownKeys: Pick<UnknownKeys, "list">;
  /** Of the disk that the data folder is on. */
  freeBytes: () => Promise<number>;
  /** Less than so much is told. */
  lowBytes: number;
  keepEndedDays: number;
  now: () => number;
};

/** What needs somebody now, in a project. */
export type ReadAttention = (projectId: number) => Promise<Attention>;

export function createAttention(parts: AttentionParts): ReadAttention {
  const kept = new Map<number, { atMs: number; answer: Promise<Attention> }>();
  return (projectId) => {
    const nowMs = parts.now();
    const last = kept.get(projectId);
    // Also where the clock was put back.
    if (last !== undefined && Math.abs(nowMs - last.atMs) < keptMs) return last.answer;
    const answer = readAttention(parts, projectId, nowMs);
    kept.set(projectId, { atMs: nowMs, answer });
    // What could not be read is asked for anew.
    answer.catch(() => kept.delete(projectId));
    return answer;
  };
}

async function readAttention(
  parts: AttentionParts,
  projectId: number,
  nowMs: number,
): Promise<Attention> {
  const [hold, disk, services, ...others] = await Promise.all([
    parts.store.hold.find(),
    diskLow(parts),
    pushServices(parts, projectId, nowMs),
    quotas(parts, projectId, nowMs),
    retentionLate(parts, nowMs),
  ]);
  const pages = pagesWithUnknownKeys(parts, projectId);
  const held: AttentionItem[] = hold === null ? [] : [{ code: "delivery-held", ...holdBody(hold) }];
  return { items: [...held, ...disk, ...services, ...pages, ...others.flat()] };
}

async function diskLow({ freeBytes, lowBytes }: AttentionParts): Promise<AttentionItem[]> {
  const free = await freeBytes();
  return free < lowBytes ? [{ code: "disk-low", freeBytes: free, thresholdBytes: lowBytes }] : [];
}

async function pushServices(
  { store }: AttentionParts,
  projectId: number,
  nowMs: number,
): Promise<AttentionItem[]> {
  const keys = new Set((await store.projects.vapidKeys(projectId)).map(({ id }) => id));
  const held = (await store.breakers.list()).filter(({ vapidKeyId }) => keys.has(vapidKeyId));
  const items: ServiceItem[] = [];
  for (const { reason, openedAtMs, probeAtMs, ...destination } of held) {
    items.push({
      code: reason === "vapid-refused" ? "key-refused" : "breaker-open",
      ...placeOf(destination),
      reason,
      since: timeOf(openedAtMs),
      nextProbeAt: timeOf(probeAtMs),
      waiting: await store.delivery.waitingAt(destination),
    });
  }
  if ((await store.delivery.queue(nowMs)).retries === 0) return worstFirst(items);
  for (const { reason, sinceMs, registrations, ...at } of await store.delivery.notAccepting()) {
    if (!keys.has(at.vapidKeyId) || ownReasons.has(reason)) continue;
    if (held.some((breaker) => isSame(breaker, at))) continue;
    const since = timeOf(sinceMs);
    items.push({ code: "nothing-accepted", ...placeOf(at), reason, since, waiting: registrations });
  }
  return worstFirst(items);
}

type ServiceItem = Extract<AttentionItem, { pushOrigin: string }>;

const order = ["key-refused", "breaker-open", "nothing-accepted"] as const;

/** Where a key is refused, which only a person can mend, comes first; of the others the largest of each push service are told. */
function worstFirst(items: readonly ServiceItem[]): ServiceItem[] {
  const largestFirst = items.toSorted((one, other) => other.waiting - one.waiting);
  const refused = largestFirst.filter(({ code }) => code === "key-refused");
  const others = largestFirst.filter(({ code }) => code !== "key-refused");
  return [...refused, ...firstOfEach(others).shown].toSorted(
    (one, other) => order.indexOf(one.code) - order.indexOf(other.code),
  );
}

function isSame(one: PushOriginKey, other: PushOriginKey): boolean {
  return one.pushOrigin === other.pushOrigin && one.vapidKeyId === other.vapidKeyId;
}

function placeOf({ pushOrigin }: PushOriginKey) {
  return { pushService: pushServiceOf(pushOrigin), pushOrigin };
}

function pagesWithUnknownKeys({ unknownKeys }: AttentionParts, projectId: number): AttentionItem[] {
  return unknownKeys.list(projectId).map((page) => ({
    code: "vapid-key-unknown",
    origin: page.origin,
    keyStart: page.keyStart,
    vapidKey: page.vapidKey,
    refused: page.refused,
    since: timeOf(page.firstMs),
    last: timeOf(page.lastMs),
  }));
}

async function quotas(
  { store }: AttentionParts,
  projectId: number,
  nowMs: number,
): Promise<AttentionItem[]> {
  const { registrationsQuota, messagesPerHourQuota } = await store.projects.settings(projectId);
  const { liveRegistrations, messagesWithinHour } = await store.projects.usage(projectId, nowMs);
  const found = [
    { code: "registrations-quota", used: liveRegistrations, quota: registrationsQuota },
    { code: "messages-quota", used: messagesWithinHour, quota: messagesPerHourQuota },
  ] as const;
  // A quota of 0 is meant so.
  return found.filter(({ used, quota }) => quota > 0 && used >= quota * nearly);
}

async function retentionLate(
  { store, keepEndedDays }: AttentionParts,
  nowMs: number,
): Promise<AttentionItem[]> {
  const beforeMs = nowMs - keepEndedDays * dayMs - lateMs;
  const oldestMs = await store.retention.oldestEnded(beforeMs);
  if (oldestMs === null) return [];
  return [{ code: "retention-late", keepDays: keepEndedDays, oldest: timeOf(oldestMs) }];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
