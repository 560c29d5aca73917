import { createLog } from "../../packages/server/src/log.ts";
import { keepMemorySmall } from "../../packages/server/src/memory.ts";
import { startPushThreads } from "../../packages/server/src/delivery/threads/push-threads.ts";
import type { Message, Recipient } from "../../packages/server/src/store/port.ts";
import { importVapidKeys } from "../../packages/server/src/webpush/vapid.ts";
import type { Prepare } from "./contender.ts";

/** As `sineta serve` sends, on all cores: what one broadcast's page goes through once it has been read. */
export const prepare: Prepare = prepareWith();

export function prepareWith(more: { most?: number } = {}): Prepare {
  return async (task) => {
    keepMemorySmall();
    const { endpoints, p256dh, auth, port, publicKey, privateKey } = task;
    const key = { id: 1, publicKey, createdAtMs: 0, keys: importVapidKeys(publicKey, privateKey) };
    const threads = startPushThreads({
      policy: {
        hosts: [{ host: "localhost", port }],
        routes: [{ host: "localhost", port, address: "127.0.0.1", addressPort: port }],
      },
      subject: task.subject,
      closeMs: 5_000,
      project: { keys: { current: key, all: [key] }, receiptSecret: new Uint8Array(32) },
      log: createLog("warn", process.stderr),
      ...more,
    });
    const message = messageOf(task.notification);
    const endsAtMs = Date.now() + task.ttlSeconds * 1000;
    const recipients = endpoints.map((endpoint, place): Recipient => ({
      registrationId: place,
      token: "t".repeat(43),
      generation: 1,
      endpoint,
      p256dh: p256dh[place] ?? "",
      auth: auth[place] ?? "",
      vapidKeyId: key.id,
      pushOrigin: `https://localhost:${port}`,
      origin: "https://site.example",
      refusedAtMs: null,
    }));
    return {
      async sendOne(place) {
        const recipient = recipients[place];
        if (recipient === undefined) throw new Error("no such place");
        const outcome = await threads.send(message, recipient, endsAtMs);
        if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
      },
      close: () => threads.close(),
    };
  };
}

export function messageOf(notification: Message["notification"]): Message {
  const noCounts = { accepted: 0, gone: 0, retry: 0, rejected: 0, failed: 0 };
  return {
    id: "0199c0de-0000-7000-8000-000000000001",
    projectId: 1,
    target: { kind: "all" },
    notification,
    data: null,
    ttlSeconds: 3600,
    urgency: "normal",
    collapseKey: null,
    scheduledAtMs: 0,
    localTime: null,
    replaces: null,
    state: "sending",
    withReceipts: true,
    createdAtMs: 0,
    startedAtMs: 0,
    endedAtMs: null,
    watermark: null,
    plannedTo: 0,
    plannedCount: 0,
    counts: noCounts,
    receipts: { displayed: 0, clicked: 0, closed: 0 },
  };
}
