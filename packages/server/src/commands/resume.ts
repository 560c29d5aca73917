import type { DeliveryBody, HoldBody } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { readDelivery } from "../delivery/held-list.ts";
import { defaultProjectName } from "../projects/project.ts";
import { isServing } from "../serve-lock.ts";
import type { ResumeOptions, Store } from "../store/port.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command, Terminal } from "./command.ts";
import { shortened, tableOf, timeOf } from "./table.ts";

/** Lines of messages in the list for people. */
const mostLines = 50;
/** Messages of each kind in the list for programs. */
const mostListed = 10_000;

type Fate = DeliveryBody["messages"][number]["fate"];

const headings: Readonly<Record<Fate, string>> = {
  cancel: "Would be cancelled, because another server may have sent it",
  now: "Goes now",
  later: "Goes at its time",
  expire: "Ends unsent, because its validity is over",
};
const fates: readonly Fate[] = ["cancel", "now", "later", "expire"];

export const resumeCommand: Command = {
  name: "resume",
  summary: "Lists what would go out while delivery is held, and resumes the delivery",
  usage: "sineta resume [--yes] [--send-due | --send ID ...] [--json]",
  help: `Delivery is held after a restore, where the data folder is a copy of another one, and after sineta hold. The command lists
the messages that wait, and asks. After a restore and in a copy it cancels the messages that were there before and are due, because
another server may have sent them. It sends newer messages, and messages that are due later.

  --yes        asks nothing
  --send-due   sends also what would be cancelled
  --send ID    sends this message, which would be cancelled; may be given several times
  --json       lists for programs, and resumes nothing

A message whose validity is over is never sent. A message that the other server has cancelled since is sent: cancel it first, with
sineta messages cancel. The running server begins within two seconds. If the command is killed, delivery is still held: call it again with
the same flags.`,
  options: {
    yes: { type: "boolean" },
    "send-due": { type: "boolean" },
    send: { type: "string", multiple: true },
    json: { type: "boolean" },
  },
  run: async ({ flags, report, terminal }) => {
    const send = readIds(flags["send"]);
    const sendDue = flags["send-due"] === true;
    if (sendDue && send.length > 0) {
      throw usage("--send-due sends all of them: give it, or --send");
    }
    const json = flags["json"] === true;
    if (json && (flags["yes"] === true || sendDue || send.length > 0)) {
      throw usage("--json lists alone: give it without other flags");
    }
    const { dataFolder } = report.config;
    const store = await openPresentDataFolder(dataFolder, Date.now());
    try {
      const limit = json ? mostListed : mostLines;
      const options = { asOfMs: Date.now(), sendDue, send };
      const delivery = await readDelivery(store.hold, { ...options, projectId: null, limit });
      if (json) {
        terminal.out(`${JSON.stringify(delivery, null, 2)}\n`);
        return 0;
      }
      if (delivery.hold === null) {
        terminal.out("Delivery is not held.\n");
        return 0;
      }
      await demandMessages(store, send);
      terminal.out(heldList(delivery, delivery.hold));
      if (flags["yes"] !== true && !(await agrees(terminal))) return 1;
      return await resume(store, delivery.hold, options, terminal, dataFolder);
    } finally {
      await store.close();
    }
  },
};

async function resume(
  store: Store,
  { reason, since }: HoldBody,
  options: ResumeOptions,
  terminal: Terminal,
  dataFolder: string,
): Promise<number> {
  const hold = { reason, sinceMs: Date.parse(since) };
  const done = await store.hold.resume(hold, options, commandLineAsker(), Date.now());
  if (done === null) {
    terminal.err("Another command ended or began a hold meanwhile: call sineta resume again.\n");
    return 1;
  }
  const { cancelled } = done;
  terminal.out(
    `Delivery is resumed. ${cancelled} ${cancelled === 1 ? "message was" : "messages were"} cancelled.\n`,
  );
  if (!isServing(dataFolder)) terminal.err("No server runs: sineta serve sends what waits.\n");
  return 0;
}

async function agrees(terminal: Terminal): Promise<boolean> {
  const answer = await terminal.ask("Resume delivery? [y/N] ");
  if (answer === null) {
    throw usage("No answer came, so delivery is still held: answer y, or give --yes");
  }
  if (/^y(es)?$/i.test(answer.trim())) return true;
  terminal.err("Delivery is still held.\n");
  return false;
}

function readIds(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** A mistyped id would let the message be cancelled. */
async function demandMessages(store: Store, ids: readonly string[]): Promise<void> {
  const { id: projectId } = await store.projects.ensure(defaultProjectName, Date.now());
  for (const id of ids) {
    const message = await store.messages.find(projectId, id);
    if (message === null) {
      throw new CommandError(
        "message-unknown",
        `There is no message ${id}: sineta resume lists the messages that wait.`,
      );
    }
  }
}

/** For people: the groups that have messages share the lines. */
function heldList({ counts, messages }: DeliveryBody, { reason, since }: HoldBody): string {
  const head = `Delivery is held since ${timeOf(Date.parse(since))}: ${why[reason]}.\n`;
  const groups = fates.filter((fate) => counts[fate] > 0);
  if (groups.length === 0) return `${head}No message waits.\n`;
  const lines = Math.floor(mostLines / groups.length);
  const texts = groups.map((fate) => {
    const shown = messages.filter((message) => message.fate === fate).slice(0, lines);
    const more = counts[fate] - shown.length;
    const rest = more === 0 ? "" : `  and ${more} more, which --json has\n`;
    return `${headings[fate]}: ${counts[fate]}\n${tableOf([columns, ...shown.map(cellsOf)])}${rest}`;
  });
  return [head, ...texts].join("\n");
}

const why: Readonly<Record<HoldBody["reason"], string>> = {
  restored: "the data comes from a back-up",
  cloned: "the data folder is a copy",
  asked: "an operator has asked for it",
};

const columns = ["  ID", "TITLE", "STATE", "MADE", "DUE", "REGISTRATIONS"];

function cellsOf(message: DeliveryBody["messages"][number]): string[] {
  const { id, title, state, createdAt, scheduleAt, scheduleAtLocal, registrations } = message;
  return [
    `  ${id}`,
    shortened(title),
    state,
    timeOf(Date.parse(createdAt)),
    scheduleAtLocal === undefined
      ? timeOf(Date.parse(scheduleAt))
      : `${scheduleAtLocal} local time`,
    registrations === null ? "-" : String(registrations),
  ];
}

function usage(sentence: string): CommandError {
  return new CommandError("usage", `${sentence}. See sineta resume --help.`);
}
