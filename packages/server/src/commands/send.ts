import { randomUUIDv7 } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { publish } from "../messages/publish.ts";
import { defaultOrigins } from "../projects/origins.ts";
import { defaultProjectName } from "../projects/project.ts";
import { isServing } from "../serve-lock.ts";
import type { Message, Store } from "../store/port.ts";
import type { Command } from "./command.ts";

const patienceMs = 30_000;
const pollMs = 100;

export const sendCommand: Command = {
  name: "send",
  summary: "Sends a notification",
  usage:
    "sineta send --title TITLE --body TEXT [--link ADDRESS] [--icon ADDRESS] [--to all|TOKEN] [--no-wait]",
  help: `  --title    what stands in bold, at most 200 characters
  --body     the text, at most 2,000 characters
  --link     where a click leads: an http(s) address, or a path on the site; without it the site's start page
  --icon     picture beside the text: an http(s) address, or a path on the site
  --to       all (the default), or the token of one browser
  --no-wait  do not wait until it is sent

Puts the message into the database; the running server sends it. Waits up to 30 s for that and prints the message's
id and how many registrations accepted it, are gone, will be tried again, were rejected, or failed.`,
  options: {
    title: { type: "string" },
    body: { type: "string" },
    link: { type: "string" },
    icon: { type: "string" },
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
  const nobody = target.kind === "all" && Object.values(counts).every((count) => count === 0);
  return `${id}: ${figures}${nobody ? "\nNo browser is registered yet." : ""}`;
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
