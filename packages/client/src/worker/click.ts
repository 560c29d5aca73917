import type { WorkerDependencies } from "./dependencies.ts";
import type { NotificationData } from "./push.ts";

/** Opens what the notification leads to: the tab that shows it already, or a new one. */
export function handleNotificationClick(
  event: NotificationEvent,
  dependencies: WorkerDependencies,
): void {
  event.notification.close();
  const data: Partial<NotificationData> | null = event.notification.data;
  event.waitUntil(open(data?.navigate, dependencies));
}

async function open(
  navigate: string | undefined,
  { clients, registration }: WorkerDependencies,
): Promise<void> {
  const target = new URL(navigate ?? "/", registration.scope);
  if (target.protocol !== "https:" && target.protocol !== "http:") return;
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((one) => one.url === target.href);
  if (tab) await tab.focus();
  else await clients.openWindow(target.href);
}
