import { limits, notificationSchema, type NotificationContent } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { payloadOf } from "../delivery/payload.ts";
import type { MessageTarget, NewMessage, Store } from "../store/port.ts";
import { demandTopic } from "../topics/demand-topic.ts";
import { parseTarget } from "./target.ts";

/** A push service keeps it as long as it may: whoever opens the laptop after the holidays gets the notice. */
const ttlSeconds = limits.ttlSeconds;

export type Publication = {
  projectId: number;
  /** The project's origins. With those that browsers registered on, the longest decides whether the message fits. */
  origins: Iterable<string>;
  /** See `parseTarget`. */
  to: string;
  notification: NotificationContent;
};

const expectedLink = `an http(s) address, or a path that begins with /, of at most ${limits.linkCharacters} characters`;
/** What `notificationSchema` takes, for people: the flag that it comes from, and what is expected. */
const expected: Readonly<Record<keyof NotificationContent, [flag: string, what: string]>> = {
  title: ["--title", `1 to ${limits.titleCharacters} characters, not spaces alone`],
  body: ["--body", `at most ${limits.bodyCharacters} characters`],
  link: ["--link", expectedLink],
  icon: ["--icon", expectedLink],
  actions: [
    "--action",
    `at most ${limits.actions} times a title of 1 to ${limits.actionTitleCharacters} characters, = and ${expectedLink}`,
  ],
};

/**
 * Puts a message into the store, to be sent at once. The running server finds it there.
 * @returns the message's id
 * @throws CommandError `notification-invalid`, `token-unknown`, `topic-missing`, `usage`
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
      .map(([, [flag, what]]) => `${flag} cannot be sent: expected ${what}.`);
    throw new CommandError("notification-invalid", sentences.join(" "));
  }
  const target = parseTarget(publication.to);
  if (target === null) {
    throw new CommandError(
      "usage",
      `--to user: needs the user's id behind it, 1 to ${limits.userIdCharacters} characters: see sineta send --help.`,
    );
  }
  await demandPresent(store, projectId, target);
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
  const bytes = Math.max(...origins.map((origin) => payloadOf(message, origin).bytes));
  if (bytes > limits.plaintextBytes) {
    throw new CommandError(
      "notification-invalid",
      `The notification takes ${bytes} bytes, ${bytes - limits.plaintextBytes} more than the ` +
        `${limits.plaintextBytes} that push services carry: shorten --title, --body, --link, --icon or --action.`,
    );
  }
  await store.messages.publish(message, nowMs);
  return message.id;
}

/** A token or a topic that is not there is a slip. A user without a browser is none: sites send to all their users. */
async function demandPresent(
  store: Store,
  projectId: number,
  target: MessageTarget,
): Promise<void> {
  if (target.kind === "topic") await demandTopic(store, projectId, target.topic);
  if (target.kind !== "token") return;
  const registration = await store.registrations.find(projectId, target.token);
  if (registration === null || registration.endReason !== null) {
    throw new CommandError(
      "token-unknown",
      "There is no registration with this token that can be reached: check the token, or send --to all.",
    );
  }
}
