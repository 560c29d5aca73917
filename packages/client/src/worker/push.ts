import type { WorkerDependencies } from "./dependencies.ts";
import { readPayload } from "./payload.ts";

/** What a notification carries through to the click on it. */
export type NotificationData = { navigate: string };

/**
 * Shows what arrived and keeps it as a notice. A message that was shown before is dropped. It is kept only once
 * it is shown: a worker that is ended in between shows it again under the same tag, which replaces it.
 */
export function handlePush(event: PushEvent, dependencies: WorkerDependencies): void {
  event.waitUntil(show(event.data, dependencies));
}

async function show(
  data: PushMessageData | null,
  { registration, notices, nowMs, mustAlwaysShow }: WorkerDependencies,
): Promise<void> {
  const { title, body, navigate, icon, tag, lang, dir, ...rest } = readPayload(
    data,
    registration.scope,
  );
  const { messageId } = rest.data.sineta;
  // A database that cannot be read must not keep a notification from being shown.
  const isDuplicate = messageId !== "" && (await notices.has(messageId).catch(() => false));
  if (isDuplicate && !mustAlwaysShow) return;

  const content = { ...(body !== undefined && { body }), ...(icon !== undefined && { icon }) };
  await registration.showNotification(title, {
    ...content,
    tag,
    ...(lang !== undefined && { lang }),
    ...(dir !== undefined && { dir }),
    silent: isDuplicate || (rest.silent ?? false),
    data: { navigate } satisfies NotificationData,
  });
  if (messageId === "" || isDuplicate) return;
  await notices.keep({ id: messageId, title, navigate, ...content, receivedAtMs: nowMs() });
}
