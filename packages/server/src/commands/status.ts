import type { HoldBody, MessageState } from "@sineta/protocol";
import { firstOfEach } from "../audience/first-of-each.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { holdBody } from "../delivery/held-list.ts";
import { defaultProjectName } from "../projects/project.ts";
import { isServing } from "../serve-lock.ts";
import { causeOf, detailText } from "../messages/reasons.ts";
import type {
  Breaker,
  BreakerReason,
  PushOriginKey,
  Explanation,
  QueueFigures,
  Store,
  SealedVapidKey,
} from "../store/port.ts";
import { pushServiceOf, type PushService } from "../webpush/push-hosts.ts";
import { ownReasons } from "../webpush/outcome.ts";
import type { Command } from "./command.ts";
import { triedText } from "./message-causes.ts";
import { printable, tableOf, timeOf } from "./table.ts";

/** How the whole of it does, as `sineta status --json` prints it. Times are ISO 8601. */
export type Status = {
  /** Why and since when nothing is delivered until `sineta resume`; null if delivery is not held. */
  held: HoldBody | null;
  /** Whether a server runs on the data folder. */
  running: boolean;
  /** Live ones. */
  registrations: { pushService: PushService; count: number }[];
  messages: Partial<Record<MessageState, number>>;
  queue: Omit<QueueFigures, "oldestDueMs"> & {
    /** For how long the batch is due that has been due longest, be it tried again or held back; null if none is. */
    waitingSeconds: number | null;
  };
  breakers: {
    pushService: PushService;
    pushOrigin: string;
    /** Public key that the registrations held back were made with. */
    vapidKey: string;
    reason: BreakerReason;
    /** What the push service said, or what came instead of an answer: a reason's code, and behind `: ` the cause. */
    detail: string;
    /** What that means, and what to do. */
    advice: string;
    since: string;
    nextProbeAt: string;
  }[];
  /** Push services that are not held back, and have accepted nothing since so many registrations were due there. */
  notAccepting: {
    pushService: PushService;
    pushOrigin: string;
    vapidKey: string;
    /** Tried in vain for this reason, and to be tried again. */
    registrations: number;
    reason: string;
    detail: string;
    advice: string;
    since: string;
  }[];
  /** Whether nobody has to see to anything. */
  healthy: boolean;
};

/** Public key's first characters: enough to tell keys apart. */
const keyCharacters = 12;
/** Of what a push service said. */
const shownCharacters = 200;

export const statusCommand: Command = {
  name: "status",
  summary: "Shows how the whole of it does, and what needs somebody",
  usage: "sineta status [--json]",
  help: `Whether delivery is held, whether a server runs on the data folder, the live registrations by push service, the messages by state, what is still
to be sent and for how long it has been due; which push services are held back: since when, why, and when it is tried
whether they take pushes again; and which accept nothing at the moment, though some pushes were tried there. Of each push
service at most five push origins are listed, those with most registrations; every one whose key is refused is listed.

  --json     the same for programs, with every push origin

The exit status is 1 if an operator has something to do: delivery is held, a push service is held back or accepts nothing for another
reason than that it asked for a pause, or messages wait and no server runs.`,
  options: { json: { type: "boolean" } },
  run: async ({ flags, report, terminal }) => {
    const { dataFolder } = report.config;
    const nowMs = Date.now();
    const store = await openPresentDataFolder(dataFolder, nowMs);
    try {
      const running = isServing(dataFolder);
      const status = await readStatus(store, running, nowMs);
      terminal.out(
        flags["json"] === true ? `${JSON.stringify(status, null, 2)}\n` : statusText(status, nowMs),
      );
      return status.healthy ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};

async function readStatus(store: Store, running: boolean, nowMs: number): Promise<Status> {
  const { id: projectId } = await store.projects.ensure(defaultProjectName, nowMs);
  const { oldestDueMs, ...queue } = await store.delivery.queue(nowMs);
  const messages = await store.messages.countByState();
  const keys = await store.projects.vapidKeys(projectId);
  const hold = await store.hold.find();
  const held = await store.breakers.list();
  const waiting = new Map<Breaker, number>();
  for (const each of held) waiting.set(each, await store.delivery.waitingAt(each));
  held.sort(worstFirst(waiting));
  const breakers = held.map((breaker) => {
    const { reason, openedAtMs, probeAtMs } = breaker;
    const times = { since: timeOf(openedAtMs), nextProbeAt: timeOf(probeAtMs) };
    return { ...whereAndWhy(breaker, keys), reason, ...times };
  });
  const largestFirst = (await store.delivery.notAccepting()).toSorted(
    (one, other) => other.registrations - one.registrations,
  );
  const notAccepting = largestFirst.flatMap((each) => {
    const { registrations, sinceMs } = each;
    if (ownReasons.has(each.reason) || held.some((breaker) => isSame(breaker, each))) return [];
    return [{ ...whereAndWhy(each, keys), registrations, since: timeOf(sinceMs) }];
  });
  return {
    held: hold === null ? null : holdBody(hold),
    running,
    registrations: byPushService(await store.registrations.countByOrigin(projectId)),
    messages,
    queue: {
      ...queue,
      waitingSeconds: oldestDueMs === null ? null : Math.round((nowMs - oldestDueMs) / 1000),
    },
    breakers,
    notAccepting,
    healthy:
      hold === null &&
      [...breakers, ...notAccepting].every(({ reason }) => reason === "throttled") &&
      (running || !isWaiting(messages)),
  };
}

/** Where the key is refused, which only a person can mend; then by how many registrations wait. */
function worstFirst(waiting: ReadonlyMap<Breaker, number>) {
  return (one: Breaker, other: Breaker) =>
    Number(isRefused(other)) - Number(isRefused(one)) ||
    (waiting.get(other) ?? 0) - (waiting.get(one) ?? 0);
}

function isRefused({ reason }: Pick<Breaker, "reason">): boolean {
  return reason === "vapid-refused";
}

function isSame(one: PushOriginKey, other: PushOriginKey): boolean {
  return one.pushOrigin === other.pushOrigin && one.vapidKeyId === other.vapidKeyId;
}

function whereAndWhy(
  { pushOrigin, vapidKeyId, reason, detail }: PushOriginKey & Explanation,
  keys: readonly Pick<SealedVapidKey, "id" | "publicKey">[],
) {
  const { meaning, remedy } = causeOf({ reason, detail });
  return {
    pushService: pushServiceOf(pushOrigin),
    pushOrigin,
    vapidKey: keys.find(({ id }) => id === vapidKeyId)?.publicKey ?? "",
    reason,
    detail,
    advice: `${meaning} ${remedy}`.trim(),
  };
}

function byPushService(origins: readonly { pushOrigin: string; count: number }[]) {
  const counts = new Map<PushService, number>();
  for (const { pushOrigin, count } of origins) {
    const service = pushServiceOf(pushOrigin);
    counts.set(service, (counts.get(service) ?? 0) + count);
  }
  return [...counts].map(([pushService, count]) => ({ pushService, count }));
}

function isWaiting({ scheduled = 0, sending = 0, paused = 0 }: Status["messages"]): boolean {
  return scheduled + sending + paused > 0;
}

/** For people: a part for each kind of figure. */
export function statusText(status: Status, nowMs: number): string {
  const { held, running, registrations, messages, queue, breakers, notAccepting } = status;
  const stopped = isWaiting(messages)
    ? "does not run: messages wait, sineta serve sends them"
    : "does not run";
  const refused = breakers.filter(isRefused);
  const others = breakers.filter((each) => !isRefused(each));
  const textOf = (each: Status["breakers"][number]) => breakerText(each, { running, nowMs });
  const heldText = refused.map(textOf).join("") + firstOnly(others, textOf);
  return [
    tableOf([
      ...(held === null ? [] : [["delivery", holdText(held)]]),
      ["server", running ? "runs" : stopped],
      ["open batches", String(queue.openBatches)],
      ["to be tried again", String(queue.retries)],
      ["waiting for", queue.waitingSeconds === null ? "-" : `${queue.waitingSeconds} s`],
    ]),
    `Live registrations, by push service:\n${figures(registrations.map(({ pushService, count }) => [pushService, count]))}`,
    `Messages, by state:\n${figures(Object.entries(messages))}`,
    `Push services that are held back:\n${heldText || "  none\n"}`,
    `Push services that accept nothing at the moment:\n${firstOnly(notAccepting, notAcceptingText) || "  none\n"}`,
  ].join("\n");
}

function holdText({ reason, since }: HoldBody): string {
  return `held since ${timeOf(Date.parse(since))} (${reason}): sineta resume lists what would go out, and resumes`;
}

/** A few of each push service, and how many more there are. */
function firstOnly<Each extends Trouble>(all: readonly Each[], textOf: (each: Each) => string) {
  const { shown, more } = firstOfEach(all);
  const left = Array.from(more, ([service, count]) => {
    return `  ${service}: ${count} more push ${count === 1 ? "origin" : "origins"}, which --json has\n`;
  });
  return [...shown.map(textOf), ...left].join("");
}

function breakerText(
  breaker: Status["breakers"][number],
  { running, nowMs }: { running: boolean; nowMs: number },
): string {
  const tried = running
    ? triedText(breaker.nextProbeAt, nowMs)
    : "It is tried again when the server runs.";
  return lines(placeText(breaker), `since ${breaker.since}. ${tried}`, ...whyText(breaker));
}

function notAcceptingText(each: Status["notAccepting"][number]): string {
  const { registrations, since } = each;
  const who = registrations === 1 ? "1 registration was" : `${registrations} registrations were`;
  const tried = `${who} tried in vain since ${since}, and nothing accepted; what waits is tried again.`;
  return lines(placeText(each), tried, ...whyText(each));
}

type Trouble = Status["breakers"][number] | Status["notAccepting"][number];

function placeText({ pushService, pushOrigin, vapidKey }: Trouble): string {
  return `${pushService}, ${pushOrigin}, for the VAPID key ${vapidKey.slice(0, keyCharacters)}...`;
}

/** What it means and what to do; what is known of the cause, and its code. */
function whyText({ reason, detail, advice }: Trouble): string[] {
  const cause = causeOf({ reason, detail: detail.slice(0, shownCharacters) });
  const known = detailText(cause);
  return [`${cause.code}: ${advice}`, ...(known === "" ? [] : [known])];
}

function lines(first: string, ...more: string[]): string {
  return [`  ${first}`, ...more.map((line) => `    ${line}`)]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function figures(rows: readonly (readonly [string, number])[]): string {
  if (rows.length === 0) return "  none\n";
  return tableOf(rows.map(([name, count]) => [`  ${name}`, String(count)]));
}
