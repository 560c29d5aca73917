import { addressQuestion } from "../shown-address.ts";
import type { WorkerDependencies } from "./dependencies.ts";
import type { NotificationData } from "./push.ts";

/** Firefox lets a click open a window for one second, Chromium for ten. */
const answerTimeoutMs = 500;

/**
 * Shows the page that the notification leads to, or the action that was clicked. If a tab shows it already, that tab comes
 * forward. Else a new one opens. Reports the click.
 */
export function handleNotificationClick(
  event: NotificationEvent,
  dependencies: WorkerDependencies,
): void {
  const { notification, action } = event;
  const data: Partial<NotificationData> | null = notification.data;
  dependencies.clicked.add(data?.sineta?.messageId);
  event.waitUntil(follow(data ?? {}, action, dependencies));
  // Last, so that the link opens even if this throws.
  notification.close();
}

async function follow(
  { navigate, actions, sineta }: Partial<NotificationData>,
  action: string,
  { clients, registration, report }: WorkerDependencies,
): Promise<void> {
  const button = actions?.find((one) => one.action === action);
  const { href, origin } = new URL(button?.navigate ?? navigate ?? "/", registration.scope);
  const open = async () => /^https?:/.test(href) && clients.openWindow(href);
  // The browser tells of no tab of another origin.
  const isOwn = origin === new URL(registration.scope).origin;
  const tab = isOwn ? await tabThatShows(href, clients).catch(() => undefined) : undefined;
  // The receipt comes second: the browser lets a click open something only for a moment.
  const opening = tab ? tab.focus().catch(open) : open();
  await Promise.all([opening, report("clicked", sineta, button?.action)]);
}

/**
 * `Client.url` is the address that the page was loaded from. `pushState` does not change it. So the worker asks each tab
 * what it shows. A page without Sineta does not answer. Rejects if no tab shows it, or if the browser or the tabs are slow.
 */
function tabThatShows(href: string, clients: WorkerDependencies["clients"]): Promise<WindowClient> {
  const answerOf = (tab: WindowClient) =>
    new Promise<WindowClient>((resolve, reject) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => (data === href ? resolve(tab) : reject());
      tab.postMessage(addressQuestion, [port2]);
    });
  return new Promise((resolve, reject) => {
    setTimeout(reject, answerTimeoutMs);
    clients
      .matchAll({ type: "window", includeUncontrolled: true })
      .then((windows) =>
        Promise.any(windows.filter(({ frameType }) => frameType !== "nested").map(answerOf)),
      )
      .then(resolve, reject);
  });
}
