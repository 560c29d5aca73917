import type { MessageState } from "@sineta/protocol";
import { openPresentDataFolder } from "../data-folder.ts";
import { defaultProjectName } from "../projects/project.ts";
import { isServing } from "../serve-lock.ts";
import type { BreakerReason, QueueFigures, Store } from "../store/port.ts";
import { pushServiceOf, type PushService } from "../webpush/push-hosts.ts";
import type { Command } from "./command.ts";
import { printable, tableOf, timeOf } from "./table.ts";

/** How the whole of it does, as `sineta status --json` prints it. Times are ISO 8601. */
export type Status = {
  /** Whether a server runs on the data folder. */
  running: boolean;
  /** Live ones. */
  registrations: { pushService: PushService; count: number }[];
  messages: Partial<Record<MessageState, number>>;
  queue: Omit<QueueFigures, "oldestReadyMs"> & {
    /** How long the batch has waited that has waited longest, held back or not; null if none waits. */
    waitingSeconds: number | null;
  };
  breakers: {
    pushService: PushService;
    pushOrigin: string;
    /** Public key that the registrations held back were made with. */
    vapidKey: string;
    reason: BreakerReason;
    /** What the push service said. */
    detail: string;
    /** What that means, and what to do. */
    advice: string;
    since: string;
    nextProbeAt: string;
  }[];
  /** Whether nobody has to see to anything. */
  healthy: boolean;
};

/** What it means that a push origin is held back, and what to do. */
const advice: Record<BreakerReason, string> = {
  "vapid-refused":
    "It refuses the VAPID key: check this machine's clock and SINETA_VAPID_SUBJECT, then start the server again.",
  "refuses-all":
    "It refuses every push: look up what it said in its vendor's documentation, mend that, then start the server again.",
  unavailable:
    "It does not answer, or only with errors of its own: check that this machine reaches it; if so, wait.",
  throttled: "It asked for a pause: nothing needs to be done.",
};

/** Public key's first characters: enough to tell keys apart. */
const keyCharacters = 12;
/** Of what a push service said. */
const shownCharacters = 200;

export const statusCommand: Command = {
  name: "status",
  summary: "Shows how the whole of it does, and what needs somebody",
  usage: "sineta status [--json]",
  help: `Whether a server runs on the data folder, the live registrations by push service, the messages by state, what is still
to be sent and how long it has waited, and which push services are held back: since when, why, and when it is tried
whether they take pushes again.

  --json     the same for programs

The exit status is 1 if somebody has to see to something: a push service is held back for another reason than that it
asked for a pause, or messages wait and no server runs.`,
  options: { json: { type: "boolean" } },
  run: async ({ flags, report, terminal }) => {
    const { dataFolder } = report.config;
    const nowMs = Date.now();
    const store = await openPresentDataFolder(dataFolder, nowMs);
    try {
      const running = isServing(dataFolder);
      const status = await readStatus(store, running, nowMs);
      terminal.out(
        flags["json"] === true ? `${JSON.stringify(status, null, 2)}\n` : statusText(status),
      );
      return status.healthy ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};

async function readStatus(store: Store, running: boolean, nowMs: number): Promise<Status> {
  const { id: projectId } = await store.projects.ensure(defaultProjectName, nowMs);
  const { oldestReadyMs, ...queue } = await store.delivery.queue(nowMs);
  const messages = await store.messages.countByState();
  const keys = await store.projects.vapidKeys(projectId);
  const breakers = (await store.breakers.list()).map((breaker) => ({
    pushService: pushServiceOf(breaker.pushOrigin),
    pushOrigin: breaker.pushOrigin,
    vapidKey: keys.find(({ id }) => id === breaker.vapidKeyId)?.publicKey ?? "",
    reason: breaker.reason,
    detail: breaker.detail,
    advice: advice[breaker.reason],
    since: timeOf(breaker.openedAtMs),
    nextProbeAt: timeOf(breaker.probeAtMs),
  }));
  return {
    running,
    registrations: byPushService(await store.registrations.countByOrigin(projectId)),
    messages,
    queue: {
      ...queue,
      waitingSeconds: oldestReadyMs === null ? null : Math.round((nowMs - oldestReadyMs) / 1000),
    },
    breakers,
    healthy:
      breakers.every(({ reason }) => reason === "throttled") && (running || !isWaiting(messages)),
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
export function statusText(status: Status): string {
  const { running, registrations, messages, queue, breakers } = status;
  const stopped = isWaiting(messages)
    ? "does not run: messages wait, sineta serve sends them"
    : "does not run";
  return [
    tableOf([
      ["server", running ? "runs" : stopped],
      ["open batches", String(queue.openBatches)],
      ["to be tried again", String(queue.retries)],
      ["waiting for", queue.waitingSeconds === null ? "-" : `${queue.waitingSeconds} s`],
    ]),
    `Live registrations, by push service:\n${figures(registrations.map(({ pushService, count }) => [pushService, count]))}`,
    `Messages, by state:\n${figures(Object.entries(messages))}`,
    `Push services that are held back:\n${breakers.map(breakerText).join("") || "  none\n"}`,
  ].join("\n");
}

function breakerText(breaker: Status["breakers"][number]): string {
  const { pushService, pushOrigin, vapidKey, since, nextProbeAt } = breaker;
  return [
    `  ${pushService}, ${pushOrigin}, for the VAPID key ${vapidKey.slice(0, keyCharacters)}...`,
    `    since ${since}, tried again at ${nextProbeAt}`,
    `    ${breaker.advice}`,
    ...(breaker.detail === "" ? [] : [`    It said: ${breaker.detail.slice(0, shownCharacters)}`]),
  ]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function figures(rows: readonly (readonly [string, number])[]): string {
  if (rows.length === 0) return "  none\n";
  return tableOf(rows.map(([name, count]) => [`  ${name}`, String(count)]));
}
