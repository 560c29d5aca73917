import type { ParseArgsOptionsConfig } from "node:util";
import {
  inexactNumbers,
  inexactSentence,
  isNestedAtMost,
  limits,
  messageMoveSchema,
  messageRequestSchema,
  targetSchema,
  textExpected,
  textRules,
  type MessageMove,
  type MessageRequest,
} from "@sineta/protocol";
import type { z } from "zod";
import { CommandError } from "../command-error.ts";
import { parseTarget } from "../messages/target.ts";
import { refusalSentence } from "./message-refusal.ts";
import { readTokensFile } from "./tokens-file.ts";

type Flags = Readonly<Record<string, unknown>>;

const text = { type: "string" } as const;
const yes = { type: "boolean" } as const;

/** The flags that a message is made of. `--data` is the data folder's, as everywhere. */
export const messageOptions = {
  title: text,
  body: text,
  link: text,
  icon: text,
  image: text,
  badge: text,
  action: { type: "string", multiple: true },
  tag: text,
  renotify: yes,
  silent: yes,
  "require-interaction": yes,
  lang: text,
  dir: text,
  timestamp: text,
  "message-data": text,
  to: text,
  condition: text,
  tokens: text,
  ttl: text,
  urgency: text,
  "collapse-key": text,
  at: text,
  "at-local": text,
  replaces: text,
} as const satisfies ParseArgsOptionsConfig;

export const messageFlagsHelp = `  --title    what stands in bold, at most ${limits.titleCharacters} characters
  --body     the text, at most 2,000 characters
  --link     where a click leads: an http(s) address, or a path on the site; without it the site's start page
  --icon     picture beside the text: an http(s) address, or a path on the site; so are these two:
  --image    large picture below the text
  --badge    small monochrome picture for Android's status bar
  --action   a button, up to three times: what stands on it, = and where it leads, an address as that of --link
  --tag      a later notification with the same tag takes its place; without it the message's id
  --renotify, --silent, --require-interaction
             rings again when it takes a place; makes no sound; stays until the visitor acts
  --lang, --dir
             language (pt-BR) and direction of writing (auto, ltr, rtl)
  --timestamp
             when what it tells of happens, such as 2026-12-01T09:00-03:00
  --message-data
             a JSON object that the site's own page gets with it

  --to       all (the default), the token of one browser, topic:NAME for all who are in that topic, or user:ID for
             all browsers of that user of the site
  --condition
             instead of --to: who is in such topics, as "'bread' in topics && !('cake' in topics)"
  --tokens   instead of --to: the browsers of the tokens in this file, one on each line, at most 1,000

  --ttl      how long push services keep it for a browser that is away: seconds, or such as 5m, 2h, 3d; 0 is now or
             never, 28d the most and what holds without it
  --urgency  very-low, low, normal (the default) or high
  --collapse-key
             a newer message with the same key replaces this one where it still waits
  --at       when to send it, such as 2026-12-01T09:00-03:00
  --at-local when to send it where each reader is, such as 2026-12-01T09:00
`;

/**
 * The message that the flags ask for, in the shape that the HTTP interface takes.
 * @param folder that files are relative to
 * @param base what holds where no flag says otherwise; without it a title and a body are needed, and the message goes to all
 * @throws CommandError `usage`, `notification-invalid`, `message-invalid`, `topic-missing`, `token-unknown`
 */
export function readMessageFlags(
  flags: Flags,
  folder: string,
  base?: MessageRequest,
): MessageRequest {
  const time = atMostOne(flags, ["at", "at-local"]);
  const given = {
    notification: {
      title: base === undefined ? required(flags, "title") : flags["title"],
      body: base === undefined ? required(flags, "body") : flags["body"],
      link: flags["link"],
      icon: flags["icon"],
      image: flags["image"],
      badge: flags["badge"],
      tag: flags["tag"],
      renotify: flags["renotify"],
      silent: flags["silent"],
      requireInteraction: flags["require-interaction"],
      lang: flags["lang"],
      dir: flags["dir"],
      timestamp: momentOf(flags["timestamp"]),
      actions: actionsOf(flags["action"]),
    },
    target: targetOf(flags, folder, base),
    data: dataOf(flags["message-data"]),
    ttlSeconds: secondsOf(flags["ttl"]),
    urgency: flags["urgency"],
    collapseKey: flags["collapse-key"],
    scheduleAt: flags["at"],
    scheduleAtLocal: flags["at-local"],
    replaces: flags["replaces"],
  };
  const { scheduleAt: _at, scheduleAtLocal: _local, ...untimed } = base ?? {};
  const request = {
    ...(time === undefined ? base : untimed),
    ...withoutUndefined(given),
    notification: { ...base?.notification, ...withoutUndefined(given.notification) },
  };
  return checked(messageRequestSchema, request, flags);
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The time that `--at` or `--at-local` asks for, in the shape that the HTTP interface takes.
 * @throws CommandError `usage`, `message-invalid`
 */
export function readMove(flags: Flags): MessageMove {
  if (atMostOne(flags, ["at", "at-local"], "messages") === undefined) {
    throw usage("sineta messages move needs --at or --at-local", "messages");
  }
  const move = { scheduleAt: flags["at"], scheduleAtLocal: flags["at-local"] };
  return checked(messageMoveSchema, move, flags);
}

function checked<Asked>(schema: z.ZodType<Asked>, asked: unknown, flags: Flags): Asked {
  const { success, data, error } = schema.safeParse(asked);
  if (success) return data;
  const fields = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw refusalSentence({ kind: "refused", code: "body-invalid", fields }, flags);
}

function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (typeof value === "string") return value;
  throw usage(`--${name} is missing`);
}

/** The one of these flags that is there. */
function atMostOne(flags: Flags, names: readonly string[], command?: string): string | undefined {
  const [one, other] = names.filter((name) => flags[name] !== undefined);
  if (other !== undefined) throw usage(`Either --${one} or --${other}, not both`, command);
  return one;
}

function targetOf(flags: Flags, folder: string, base: MessageRequest | undefined): unknown {
  const chosen = atMostOne(flags, ["to", "condition", "tokens"]);
  if (chosen === undefined && base !== undefined) return base.target;
  const name = chosen ?? "to";
  const given = flags[name];
  const value = typeof given === "string" ? given : "all";
  if (name === "condition") return { kind: "condition", condition: value };
  if (name === "tokens") return { kind: "tokens", tokens: readTokensFile(value, folder) };
  const target = parseTarget(value);
  if (target === null) {
    throw usage(`--to user: needs the user's id behind it, ${textExpected(textRules.userId)}`);
  }
  if (targetSchema.safeParse(target).success) return target;
  // No topic can have such a name, and no browser such a token.
  const code = target.kind === "topic" ? "topic-unknown" : "token-not-found";
  const message = `there is no topic ${JSON.stringify(value.slice("topic:".length))}`;
  throw refusalSentence({ kind: "refused", code, fields: [{ path: "target", message }] }, flags);
}

/** Each TITLE=LINK; an action's id is its position, from 1. */
function actionsOf(given: unknown): unknown {
  if (!Array.isArray(given)) return undefined;
  return given.map((value, index) => {
    const [, title, link] = /^([^=]*)=(.*)$/s.exec(String(value)) ?? [];
    if (title === undefined || link === undefined) {
      throw usage(`--action is "${String(value)}": expected TITLE=ADDRESS`);
    }
    return { action: String(index + 1), title, link };
  });
}

// What cannot be read stays as it is: the schema refuses it.

const unitSeconds: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(given: unknown): unknown {
  const [, count, unit = ""] = /^(\d+)([smhd]?)$/.exec(String(given)) ?? [];
  return count === undefined ? given : Number(count) * (unitSeconds[unit] ?? 1);
}

function momentOf(given: unknown): unknown {
  const isMoment = messageRequestSchema.shape.scheduleAt.safeParse(given).success;
  return isMoment && typeof given === "string" ? Date.parse(given) : given;
}

const pathCharacters = 200;

function dataOf(given: unknown): unknown {
  if (typeof given !== "string") return given;
  let data: unknown;
  try {
    data = JSON.parse(given);
  } catch {
    return given;
  }
  // The schema refuses what nests deeper.
  if (!isNestedAtMost(data, limits.dataDepth)) return data;
  const [changed] = inexactNumbers(given);
  if (changed === undefined) return data;
  const path = changed.path.join(".").slice(0, pathCharacters);
  throw new CommandError(
    "message-invalid",
    `--message-data cannot be sent: ${path}: ${inexactSentence(changed)}.`,
  );
}

function usage(sentence: string, command = "send"): CommandError {
  return new CommandError("usage", `${sentence}: see sineta ${command} --help.`);
}
