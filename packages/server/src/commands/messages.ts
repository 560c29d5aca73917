import { CommandError } from "../command-error.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { targetText } from "../messages/target.ts";
import { defaultProjectName } from "../projects/project.ts";
import type { Message } from "../store/port.ts";
import type { Command } from "./command.ts";
import { tableOf } from "./table.ts";

const listed = 20;
const titleCharacters = 40;
const segmenter = new Intl.Segmenter("pt");

export const messagesCommand: Command = {
  name: "messages",
  summary: "Shows the latest messages, or one of them, and what became of it",
  usage: "sineta messages [ID]",
  help: `Without an ID: the latest ${listed} messages, newest first, with their time (UTC), id, title and state; how many
registrations accepted each (so says their push service), and how many browsers reported that it was displayed and
clicked. With an ID: all figures of that message.

What browsers report is best effort: a report may be missing, and who clicks an action has clicked. A message that is
accepted may never be displayed, and one whose answer was lost may be displayed without counting as accepted.`,
  options: {},
  takesWords: true,
  run: async ({ words, report, terminal }) => {
    const [id, ...more] = words;
    if (more.length > 0) {
      throw new CommandError(
        "usage",
        "sineta messages takes one id at most: see sineta messages --help.",
      );
    }
    const nowMs = Date.now();
    const store = await openPresentDataFolder(report.config.dataFolder, nowMs);
    try {
      const project = await store.projects.ensure(defaultProjectName, nowMs);
      if (id === undefined) {
        terminal.out(messageTable(await store.messages.list(project.id, listed)));
        return 0;
      }
      const message = await store.messages.find(project.id, id);
      if (message === null) {
        throw new CommandError(
          "message-unknown",
          "There is no message with this id: sineta messages lists the latest ones.",
        );
      }
      terminal.out(messageDetails(message, await store.receipts.clicksByAction(message.id)));
    } finally {
      await store.close();
    }
    return 0;
  },
};

/** A line for each message below a line of headings; a sentence if there are none. */
export function messageTable(messages: readonly Message[]): string {
  if (messages.length === 0) return "No message has been sent yet.\n";
  return tableOf([
    ["TIME", "ID", "TITLE", "STATE", "ACCEPTED", "DISPLAYED", "CLICKED"],
    ...messages.map(({ id, scheduledAtMs, notification, state, counts, receipts }) => [
      timeOf(scheduledAtMs),
      id,
      shortened(notification.title),
      state,
      String(counts.accepted),
      String(receipts.displayed),
      String(receipts.clicked),
    ]),
  ]);
}

/** All figures of one message; what became of the pushes and what browsers report stand apart. */
export function messageDetails(
  { id, scheduledAtMs, notification, target, state, counts, receipts }: Message,
  clicksByAction: ReadonlyMap<string, number>,
): string {
  // The message's own actions alone: what else a browser may have named is not shown.
  const actions = (notification.actions ?? []).map(({ action, title }): [string, number] => [
    `  action ${action}, "${title}"`,
    clicksByAction.get(action) ?? 0,
  ]);
  const head = [
    ["id", id],
    ["time", timeOf(scheduledAtMs)],
    ["title", notification.title],
    ["to", targetText(target)],
    ["state", state],
  ];
  const said: [string, number][] = Object.entries(counts);
  const reported: [string, number][] = [
    ["displayed", receipts.displayed],
    ["clicked", receipts.clicked],
    ...actions,
    ["closed", receipts.closed],
  ];
  return [
    tableOf(head),
    `Registrations, by what became of the push:\n${figures(said)}`,
    `Registrations, by what their browsers reported:\n${figures(reported)}`,
  ].join("\n");
}

function figures(rows: readonly [string, number][]): string {
  return tableOf(rows.map(([name, count]) => [`  ${name}`, String(count)]));
}

/** To the second, in UTC. */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

/** By what a reader takes for one character, so that none is torn. */
function shortened(title: string): string {
  const characters = Array.from(segmenter.segment(title), ({ segment }) => segment);
  return characters.length <= titleCharacters
    ? title
    : `${characters.slice(0, titleCharacters - 1).join("")}…`;
}
