import { randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { NotificationContent } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { publish } from "../messages/publish.ts";
import { defaultOrigins } from "../projects/origins.ts";
import { defaultProjectName } from "../projects/project.ts";
import { isServing } from "../serve-lock.ts";
import type { Message, MessageTarget, Store } from "../store/port.ts";
import type { Command } from "./command.ts";
import { printable } from "./table.ts";

const patienceMs = 30_000;
const pollMs = 100;

export const sendCommand: Command = {
  name: "send",
  summary: "Sends a notification",
  usage:
    "sineta send --title TITLE --body TEXT [--link ADDRESS] [--icon ADDRESS] [--action TITLE=ADDRESS]... [--to all|TOKEN|topic:NAME|user:ID] [--no-wait]",
  help: `  --title    what stands in bold, at most 200 characters
  --body     the text, at most 2,000 characters
  --link     where a click leads: an http(s) address, or a path on the site; without it the site's start page
  --icon     picture beside the text: an http(s) address, or a path on the site
  --action   a button, up to three times: what stands on it, = and where it leads, an address as that of --link
  --to       all (the default), the token of one browser, topic:NAME for all who are in that topic, or user:ID for
             all browsers of that user of the site
  --no-wait  do not wait until it is sent

Puts the message into the database; the running server sends it. Waits up to 30 s for that and prints the message's
id and how many registrations accepted it, are gone, will be tried again, were rejected, or failed.`,
  options: {
    title: { type: "string" },
    body: { type: "string" },
    link: { type: "string" },
    icon: { type: "string" },
    action: { type: "string", multiple: true },
    to: { type: "string" },
    "no-wait": { type: "boolean" },
  },
  run: async ({ flags, report, terminal }) => {
    const { config } = report;
    const notification = {
      title: required(flags, "title"),
      body: required(flags, "body"),
      ...optional(flags, "link"),
      ...optional(flags, "icon"),
      ...actionsOf(flags["action"]),
    };
    const to = typeof flags["to"] === "string" ? flags["to"] : "all";
    const store = await openPresentDataFolder(config.dataFolder, Date.now());
    try {
      const { id: projectId } = await store.projects.ensure(defaultProjectName, Date.now());
      const id = await publish(
        { projectId, origins: defaultOrigins(config, config.port), to, notification },
        { store, newId: randomUUIDv7, nowMs: Date.now() },
      );
      if (!isServing(config.dataFolder)) {
        terminal.out(
          `${id} waits: no server runs on ${config.dataFolder}, sineta serve will send it.\n`,
        );
        return 0;
      }
      if (flags["no-wait"] === true) {
        terminal.out(`${id} is with the server.\n`);
        return 0;
      }
      terminal.out(`${summary(await settled(store, projectId, id))}\n`);
      return 0;
    } finally {
      await store.close();
    }
  },
};

/** The message once it is done, or as it stands when patience ends. */
async function settled(store: Store, projectId: number, id: string): Promise<Message> {
  const lastMs = Date.now() + patienceMs;
  for (;;) {
    const message = await store.messages.find(projectId, id);
    if (message === null) throw new Error(`message ${id} vanished`);
    if (message.state === "done" || message.state === "cancelled" || Date.now() >= lastMs) {
      return message;
    }
    await delay(pollMs);
  }
}

/** The figures in one line; below it a sentence where nobody was there to send to, which is no failure. */
export function summary({ id, target, state, counts }: Message): string {
  const { accepted, gone, retry, rejected, failed } = counts;
  const figures = `${accepted} accepted, ${gone} gone, ${retry} retry, ${rejected} rejected, ${failed} failed`;
  if (state !== "done") return `${id}: ${figures} (still being sent)`;
  const nobody = Object.values(counts).every((count) => count === 0);
  const why = nobody ? whyNobody(target) : "";
  return `${id}: ${figures}${why === "" ? "" : `\n${why}`}`;
}

function whyNobody(target: MessageTarget): string {
  switch (target.kind) {
    case "all":
      return "No browser is registered yet.";
    case "topic":
      return `Nobody is in the topic ${printable(target.topic)}.`;
    case "user":
      return `The user ${printable(target.userId)} has no browser that is registered.`;
    // It was there when the message was published.
    case "token":
      return "";
    default:
      return target satisfies never;
  }
}

function required(flags: Readonly<Record<string, unknown>>, name: string): string {
  const value = flags[name];
  if (typeof value === "string") return value;
  throw new CommandError("usage", `--${name} is missing: see sineta send --help.`);
}

function optional(flags: Readonly<Record<string, unknown>>, name: string): Record<string, string> {
  const value = flags[name];
  return typeof value === "string" ? { [name]: value } : {};
}

/** Each TITLE=LINK; an action's id is its position, from 1. */
function actionsOf(given: unknown): Pick<NotificationContent, "actions"> {
  if (!Array.isArray(given)) return {};
  const actions = given.map((value, index) => {
    const [, title, link] = /^([^=]*)=(.*)$/s.exec(String(value)) ?? [];
    if (title === undefined || link === undefined) {
      throw new CommandError(
        "usage",
        `--action is "${String(value)}": expected TITLE=ADDRESS, see sineta send --help.`,
      );
    }
    return { action: String(index + 1), title, link };
  });
  return { actions };
}
