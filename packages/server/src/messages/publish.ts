import { limits, notificationSchema, type NotificationContent } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { payloadOf } from "../delivery/payload.ts";
import type { MessageTarget, NewMessage, Store } from "../store/port.ts";

/** A push service keeps it as long as it may: whoever opens the laptop after the holidays gets the notice. */
const ttlSeconds = limits.ttlSeconds;

export type Publication = {
  projectId: number;
  /** The project's origins. With those that browsers registered on, the longest decides whether the message fits. */
  origins: Iterable<string>;
  /** `all`, or a registration's token. */
  to: string;
  notification: { title: string; body?: string; link?: string; icon?: string };
};

const expectedLink = `an http(s) address, or a path that begins with /, of at most ${limits.linkCharacters} characters`;
/** What `notificationSchema` takes, for people. */
const expected: Readonly<Record<keyof NotificationContent, string>> = {
  title: `1 to ${limits.titleCharacters} characters, not spaces alone`,
  body: `at most ${limits.bodyCharacters} characters`,
  link: expectedLink,
  icon: expectedLink,
};

/**
 * Puts a message into the store, to be sent at once. The running server finds it there.
 * @returns the message's id
 * @throws CommandError `notification-invalid`, `token-unknown`
 */
export async function publish(
  publication: Publication,
  { store, newId, nowMs }: { store: Store; newId: () => string; nowMs: number },
): Promise<string> {
  const { projectId } = publication;
  const checked = notificationSchema.safeParse(publication.notification);
  if (!checked.success) {
    const wrong = new Set(checked.error.issues.map(({ path }) => path[0]));
    const sentences = Object.entries(expected)
      .filter(([part]) => wrong.has(part))
      .map(([part, what]) => `--${part} cannot be sent: expected ${what}.`);
    throw new CommandError("notification-invalid", sentences.join(" "));
  }
  const target: MessageTarget =
    publication.to === "all" ? { kind: "all" } : { kind: "token", token: publication.to };
  if (target.kind === "token") {
    const registration = await store.registrations.find(projectId, target.token);
    if (registration === null || registration.endReason !== null) {
      throw new CommandError(
        "token-unknown",
        "There is no registration with this token that can be reached: check the token, or send --to all.",
      );
    }
  }
  const message: NewMessage = {
    id: newId(),
    projectId,
    target,
    notification: checked.data,
    ttlSeconds,
    urgency: "normal",
    scheduledAtMs: nowMs,
  };
  const registered = await store.registrations.longestOrigin(projectId);
  const origins = [...publication.origins, ...(registered === null ? [] : [registered])];
  const bytes = Math.max(...origins.map((origin) => payloadOf(message, origin).length));
  if (bytes > limits.plaintextBytes) {
    throw new CommandError(
      "notification-invalid",
      `The notification takes ${bytes} bytes, ${bytes - limits.plaintextBytes} more than the ` +
        `${limits.plaintextBytes} that push services carry: shorten --title, --body, --link or --icon.`,
    );
  }
  await store.messages.publish(message, nowMs);
  return message.id;
}
