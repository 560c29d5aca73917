import type { WorkerDependencies } from "./dependencies.ts";
import type { NotificationData } from "./push.ts";

/**
 * Opens what the notification, or the action that was clicked, leads to: the tab that shows it already, or a new
 * one. Reports the click.
 */
export function handleNotificationClick(
  event: NotificationEvent,
  dependencies: WorkerDependencies,
): void {
  const { notification, action } = event;
  const data: Partial<NotificationData> | null = notification.data;
  dependencies.clicked.add(data?.sineta?.messageId);
  notification.close();
  event.waitUntil(follow(data ?? {}, action, dependencies));
}

async function follow(
  { navigate, actions, sineta }: Partial<NotificationData>,
  action: string,
  { clients, registration, report }: WorkerDependencies,
): Promise<void> {
  const button = actions?.find((one) => one.action === action);
  const { href } = new URL(button?.navigate ?? navigate ?? "/", registration.scope);
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === href);
  const isWebPage = /^https?:/.test(href);
  // The receipt comes second: the browser lets a click open something only for a moment.
  const opening = tab?.focus() ?? (isWebPage && clients.openWindow(href));
  await Promise.all([opening, report("clicked", sineta, button?.action)]);
}
