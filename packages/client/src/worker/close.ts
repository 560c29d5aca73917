import type { WorkerDependencies } from "./dependencies.ts";
import type { NotificationData } from "./push.ts";

/** The visitor has put the notification away: reports that, unless it is gone because it was clicked. */
export function handleNotificationClose(
  event: NotificationEvent,
  { report, clicked }: WorkerDependencies,
): void {
  const data: Partial<NotificationData> | null = event.notification.data;
  const source = data?.sineta;
  if (!clicked.delete(source?.messageId)) event.waitUntil(report("closed", source));
}
