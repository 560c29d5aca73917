import {
  limits,
  linkExpected,
  textExpected,
  textRules,
  type CommandErrorCode,
  type HttpErrorCode,
} from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import type { MessageRefusal } from "../messages/messages.ts";

type Flags = Readonly<Record<string, unknown>>;

const link = `at most ${limits.linkCharacters} characters: ${linkExpected}`;
const moment = "a moment with its time zone, such as 2026-12-01T09:00-03:00";

/** What `messageRequestSchema` takes, for people, by where it stands: the flag that it comes from, and what is expected. */
const expected: Readonly<Record<string, [flag: string, what: string]>> = {
  "notification.title": ["title", textExpected(textRules.title)],
  "notification.body": ["body", textExpected(textRules.body)],
  "notification.link": ["link", link],
  "notification.icon": ["icon", link],
  "notification.image": ["image", link],
  "notification.badge": ["badge", link],
  "notification.actions": [
    "action",
    `at most ${limits.actions} times ${textExpected(textRules.actionTitle)}, then = and ${link}`,
  ],
  "notification.tag": ["tag", `1 to ${limits.tagCharacters} characters`],
  "notification.lang": ["lang", "a language tag such as pt-BR"],
  "notification.dir": ["dir", "auto, ltr or rtl"],
  "notification.timestamp": ["timestamp", moment],
  "target.condition": ["condition", `1 to ${limits.conditionCharacters} characters`],
  "target.tokens": [
    "tokens",
    `a file of 1 to ${limits.tokensPerRequest} tokens, one on each line, each of at most 100 characters`,
  ],
  data: [
    "message-data",
    `a JSON object that nests at most ${limits.dataDepth} levels, without the name sineta`,
  ],
  ttlSeconds: ["ttl", "0 to 28 days, in seconds or such as 5m, 2h, 3d"],
  urgency: ["urgency", "very-low, low, normal or high"],
  collapseKey: ["collapse-key", "1 to 32 of A-Z a-z 0-9 _ -"],
  scheduleAt: ["at", moment],
  scheduleAtLocal: ["at-local", "a time of day without time zone, such as 2026-12-01T09:00"],
  replaces: ["replaces", "a message's id, as sineta messages shows it"],
};

/** How a code of the HTTP interface is said on the command line. */
const sayings: Partial<Record<HttpErrorCode, [CommandErrorCode, (told: Told) => string]>> = {
  "body-invalid": ["message-invalid", ({ paths, flags }) => shapeSentences(paths, flags)],
  "condition-invalid": [
    "message-invalid",
    ({ words, flags }) => `--condition is ${shown(flags["condition"])}: ${words}.`,
  ],
  "topic-unknown": [
    "topic-missing",
    ({ words }) =>
      `${capital(words)}: sineta topics lists those there are, sineta topics add makes one.`,
  ],
  "token-not-found": [
    "token-unknown",
    ({ flags, isTopic }) =>
      flags["tokens"] === undefined
        ? tokenSentence(flags["to"], isTopic)
        : `There is no registration that can be reached with any token in ${shown(flags["tokens"])}: check --tokens; a browser that has left comes back under another one.`,
  ],
  "schedule-in-past": [
    "message-invalid",
    ({ paths, words, flags }) => `${asked(paths, flags)}: expected a time to come, and ${words}.`,
  ],
  "schedule-too-far": [
    "message-invalid",
    ({ paths, words, flags }) =>
      `${asked(paths, flags)}: expected a time within 366 days, and ${words}.`,
  ],
  "notification-too-large": [
    "notification-invalid",
    ({ words }) =>
      `The notification ${words}: shorten --title, --body, --message-data, --action or addresses.`,
  ],
  "idempotency-key-reused": [
    "message-invalid",
    ({ flags }) =>
      `--idempotency-key is ${shown(flags["idempotency-key"])}: another message was published with it, and a new one needs its own.`,
  ],
  "message-quota-reached": [
    "message-quota",
    ({ retryAfterSeconds }) =>
      `The project has published as many messages within an hour as its quota allows: wait ${Math.ceil(retryAfterSeconds / 60)} min, or raise it with sineta settings messages-per-hour-quota.`,
  ],
  "message-not-found": [
    "message-unknown",
    () => "There is no message with this id: sineta messages lists the latest ones.",
  ],
  "message-ended": [
    "message-over",
    () => "The message has ended already: sineta messages ID tells how.",
  ],
  "message-started": [
    "message-begun",
    () =>
      "The sending of the message has begun, so nothing was changed: after sineta messages cancel ID the registrations that it has not reached get nothing.",
  ],
  "message-replaced": [
    "message-superseded",
    ({ messageId }) =>
      `The message ${messageId} has replaced it: cancel, move or replace that one.`,
  ],
};
type Told = {
  paths: readonly string[];
  words: string;
  flags: Flags;
  /** Whether there is a topic of the name that was given as a token. */
  isTopic: boolean;
  retryAfterSeconds: number;
  messageId: string;
};

function tokenSentence(to: unknown, isTopic: boolean): string {
  const what = isTopic
    ? `for the topic give --to ${shown(`topic:${String(to)}`)}`
    : "check the token; a topic is given as --to topic:NAME, a user as --to user:ID";
  return `--to is ${shown(to)}: there is no registration with this token that can be reached; ${what}.`;
}

/** Without one of these the message keeps the audience of the message that it replaces. */
const targetFlags = ["to", "condition", "tokens"];

/** Says what a message is refused for, with the flags that it was asked for by. */
export function refusalSentence(
  { code, fields = [], isTopic = false, retryAfterSeconds = 0, messageId = "" }: MessageRefusal,
  flags: Flags = {},
): CommandError {
  const [field] = fields;
  const isKept = targetFlags.every((name) => flags[name] === undefined);
  if (field?.path.startsWith("target") === true && isKept) {
    return new CommandError(
      "message-invalid",
      `The message's audience cannot be reached any more, so it was not changed (${code}: ${field.message}): give it another audience with sineta send --replaces ID --to, or cancel it with sineta messages cancel ID.`,
    );
  }
  const saying = sayings[code];
  if (saying === undefined) throw new Error(`the command line has no words for ${code}`);
  const paths = fields.map(({ path }) => path);
  const words = fields.map(({ message }) => message).join(", ");
  const ofNotification =
    code === "body-invalid" && paths.some((path) => path.startsWith("notification."));
  return new CommandError(
    ofNotification ? "notification-invalid" : saying[0],
    saying[1]({ paths, words, flags, isTopic, retryAfterSeconds, messageId }),
  );
}

/** A sentence for each flag that is wrong, in the order of the table. */
function shapeSentences(paths: readonly string[], flags: Flags): string {
  return Object.entries(expected)
    .filter(([part]) => paths.some((path) => path === part || path.startsWith(`${part}.`)))
    .map(([part, [flag, what]]) => {
      // Title and body may be long, and whoever wrote them sees them.
      const value = /title|body/.test(part) ? "" : `, not ${shown(flags[flag])}`;
      return `--${flag} cannot be sent: expected ${what}${value}.`;
    })
    .join(" ");
}

function asked(paths: readonly string[], flags: Flags): string {
  const flag = expected[paths[0] ?? ""]?.[0] ?? "";
  return `--${flag} is ${shown(flags[flag])}`;
}

const shownCharacters = 60;

function shown(value: unknown): string {
  const text = (Array.isArray(value) ? value : [value]).map(String).join(", ");
  return JSON.stringify(
    text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text,
  );
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
