import type { PushPayload } from "@sineta/protocol";
import type { WorkerDependencies } from "./dependencies.ts";
import { readPayload } from "./payload.ts";
import type { ReceiptSource } from "./receipt.ts";
import { texts } from "./texts.ts";

/** What a notification carries to the events on it. The browser keeps it, also while no worker runs. */
export type NotificationData = {
  navigate: string;
  actions?: { action: string; navigate: string }[] | undefined;
  sineta: ReceiptSource;
};

/**
 * Shows what arrived, keeps it as a notice, and reports that it was displayed. A message that was shown before is
 * dropped, also when both pushes arrive at the same time. Browsers demand that every push shows something, so one
 * that is empty or not ours gets a plain notification that leads to the site's start page.
 */
export function handlePush(event: PushEvent, dependencies: WorkerDependencies): void {
  const notification = readPayload(event.data);
  event.waitUntil(
    notification
      ? receive(notification, dependencies)
      : dependencies.registration.showNotification(texts.unreadable),
  );
}

async function receive(
  { title, navigate, actions, data, ...rest }: PushPayload["notification"],
  { registration, notices, oneAfterTheOther, report, nowMs, mustAlwaysShow }: WorkerDependencies,
): Promise<void> {
  const id = data.sineta.messageId;
  const show = async () => {
    // A database that cannot be read must not keep a notification from being shown.
    const isDuplicate = await notices.has(id).catch(() => false);
    if (isDuplicate && !mustAlwaysShow) return false;

    const options = {
      ...rest,
      silent: isDuplicate || rest.silent === true,
      // Without their addresses: a browser that knows `navigate` would open it without an event here, and so
      // without a receipt (Notifications Standard, "navigate").
      actions: actions?.map(({ action, title: words }) => ({ action, title: words })),
      data: { ...data, navigate, actions } satisfies NotificationData,
    };
    await registration.showNotification(title, options);
    if (isDuplicate) return false;

    // Only now that it is shown: a worker that is ended in between shows it again under the same tag, which
    // replaces it.
    const { body, icon, dir } = rest;
    const { sineta: _, ...own } = data;
    await notices
      .keep({ id, title, body, navigate, icon, dir, data: own, receivedAtMs: nowMs() })
      .catch(() => undefined);
    return true;
  };
  // If the lock or `showNotification()` fails, the worker tries once more without the lock. A second notification with
  // the same tag replaces the first.
  const isFirst = await oneAfterTheOther(`message-${id}`, show).catch(show);
  if (isFirst) await report("displayed", data.sineta);
}
