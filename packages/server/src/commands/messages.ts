import { setTimeout as delay } from "node:timers/promises";
import type { MessageList, MessageStatus, MessageSummary } from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { targetText } from "../messages/target.ts";
import { meantQuestion } from "../nearest-name.ts";
import { isServing } from "../serve-lock.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command, Terminal } from "./command.ts";
import { heldText, reasonLines } from "./message-causes.ts";
import { readMove } from "./message-flags.ts";
import { refusalSentence } from "./message-refusal.ts";
import { withMessages, type OpenMessages } from "./open-messages.ts";
import { summary } from "./send.ts";
import { printable, shortened, tableOf, timeOf } from "./table.ts";
import { patienceMs, untilStopped, type Stopped } from "./until-stopped.ts";
import { unknownText, whenItGoes } from "./published-text.ts";

const listed = 20;

export const messagesCommand: Command = {
  name: "messages",
  summary: "Shows the latest messages, or one of them and what became of it; moves or cancels one",
  usage: "sineta messages [ID | move ID (--at MOMENT | --at-local TIME) | cancel ID [--yes]]",
  help: `Without an ID: the latest ${listed} messages, newest first, with their time (UTC), id, title and state; how many
registrations are in the audience (+ while it is being counted), how many accepted each (so says their push service), how
many were rejected or failed, and how many browsers reported that it was displayed and clicked. With an ID: all figures of
that message by push service, why pushes were not accepted, and which push services are held back.
  move       gives a scheduled message another time. It gets another id: the command cancels the message and publishes it anew in one
             step, unless its sending has begun. sineta send --replaces ID changes what it says
  --at, --at-local
             the new time, as sineta send takes it
  cancel     ends a message: what is on its way still arrives, nobody else gets it; asks, unless --yes is there. It returns once
             the running server has confirmed that it begins no push of the message any more, or says that no server runs. If
             the server has not confirmed it after ${patienceMs / 1000} s, the command says so and its exit status is 1

What browsers report is best effort: a report may be missing, and who clicks an action has clicked. A message that is
accepted may never be displayed, and one whose answer was lost may be displayed without counting as accepted.`,
  options: { yes: { type: "boolean" }, at: { type: "string" }, "at-local": { type: "string" } },
  takesWords: true,
  run: async ({ flags, words, report, terminal }) => {
    const change = changes.find((each) => each === words[0]);
    const isCancel = change === "cancel";
    // No id resembles them.
    const question = change === undefined ? meantQuestion(words[0] ?? "", changes) : "";
    if (question !== "") {
      throw usage(`There is no sineta messages ${JSON.stringify(words[0])}`, question);
    }
    const [id, ...more] = change === undefined ? words : words.slice(1);
    if (more.length > 0) throw usage("sineta messages takes one id at most");
    if (change !== undefined && id === undefined) {
      throw usage(`sineta messages ${change} needs the message's id`);
    }
    if (!isCancel && flags["yes"] === true) throw usage("--yes does not belong there");
    const isTimed = flags["at"] !== undefined || flags["at-local"] !== undefined;
    if (change !== "move" && isTimed) throw usage("--at and --at-local do not belong there");
    const to = change === "move" ? readMove(flags) : undefined;
    return withMessages(report.config, async (opened) => {
      const { messages, project } = opened;
      if (id === undefined) {
        terminal.out(messageTable((await messages.list(project, { limit: listed })).messages));
        return 0;
      }
      if (to !== undefined) {
        const result = await messages.move(project, id, to, commandLineAsker());
        if (result.kind === "refused") throw refusalSentence(result, flags);
        const { published } = result;
        terminal.err(unknownText(published.unknown));
        const { text } = await whenItGoes(opened, report.config, published, {
          ...to,
          replaces: id,
        });
        terminal.out(`${text}\n`);
        return 0;
      }
      const status = await messages.status(project, id);
      if (status === null) throw refusalSentence({ kind: "refused", code: "message-not-found" });
      if (isCancel) {
        const { dataFolder } = report.config;
        return cancel(opened, status, { terminal, dataFolder, asks: flags["yes"] !== true });
      }
      terminal.out(messageDetails(status, Date.now()));
      return 0;
    });
  },
};

const changes = ["move", "cancel"] as const;

async function cancel(
  { store, messages, project }: OpenMessages,
  { id, state, notification: { title } }: MessageStatus,
  { terminal, dataFolder, asks }: { terminal: Terminal; dataFolder: string; asks: boolean },
): Promise<number> {
  if (asks && state !== "done" && state !== "cancelled") {
    const answer = await terminal.ask(
      `What is on its way still arrives, nobody else gets "${printable(shortened(title))}". yes, to cancel it: `,
    );
    if (answer === null) {
      throw usage("Nobody answers, so the message goes on: answer yes, or give --yes");
    }
    if (answer.trim() !== "yes") {
      terminal.err("The message goes on.\n");
      return 1;
    }
  }
  const result = await messages.cancel(project, id, commandLineAsker());
  if (result.kind === "refused") throw refusalSentence(result);
  const stopped = await untilStopped({
    isServing: () => isServing(dataFolder),
    isStopping: () => store.delivery.isStopping(id, Date.now()),
    pause: delay,
  });
  const status = (await messages.status(project, id)) ?? result.status;
  terminal.out(`${summary(status, Date.now())}\n`);
  terminal.err(stoppedText[stopped]);
  return stopped === "unconfirmed" ? 1 : 0;
}

const stoppedText: Readonly<Record<Stopped, string>> = {
  confirmed: "",
  unconfirmed: `The server has not confirmed within ${patienceMs / 1000} s that it has stopped sending the message: it may still begin pushes of it.\n`,
  "no-server": "No server runs, so no push of the message begins.\n",
};

/** A line for each message below a line of headings; a sentence if there are none. */
export function messageTable(messages: MessageList["messages"]): string {
  if (messages.length === 0) return "No message has been sent yet.\n";
  return tableOf([
    ["TIME", "ID", "TITLE", "STATE", "AUDIENCE", "ACCEPTED", "FAILED", "DISPLAYED", "CLICKED"],
    ...messages.map((message) => [
      time(message.scheduleAt),
      message.id,
      shortened(message.title),
      message.state,
      audienceText(message),
      String(message.counts.accepted),
      String(message.counts.rejected + message.counts.failed),
      String(message.receipts.displayed),
      String(message.receipts.clicked),
    ]),
  ]);
}

/** All figures of one message; what became of the pushes and what browsers report stand apart. */
export function messageDetails(status: MessageStatus, nowMs: number): string {
  const { id, notification, target, state, counts, unsent, receipts, clicksByAction } = status;
  const local = status.scheduleAtLocal;
  const head = [
    ["id", id],
    [
      "time",
      local === undefined
        ? time(status.scheduleAt)
        : `${local} where each reader is, first at ${time(status.scheduleAt)}`,
    ],
    ["title", notification.title],
    ["to", targetText(target)],
    ["state", state],
    ...(status.replaces === undefined ? [] : [["replaces", status.replaces]]),
    ...(status.replacedBy === undefined ? [] : [["replaced by", status.replacedBy]]),
    ...publisherRow(status.publisher),
    ["audience", audienceText(status)],
  ];
  const actions = (notification.actions ?? []).map(({ action, title }): [string, number] => [
    `  action ${action}, "${title}"`,
    clicksByAction[action] ?? 0,
  ]);
  const reported: [string, number][] = [
    ["displayed", receipts.displayed],
    ["clicked", receipts.clicked],
    ...actions,
    ["closed", receipts.closed],
  ];
  return [
    tableOf(head),
    `Registrations, by what became of the push:\n${figures([...Object.entries(counts), ["unsent", unsent]])}`,
    ...servicesOf(status),
    ...reasonsOf(status),
    ...(status.held.length === 0
      ? []
      : [`What holds it:\n${status.held.map((each) => `  ${heldText(each, nowMs)}\n`).join("")}`]),
    `Registrations, by what their browsers reported:\n${figures(reported)}`,
  ].join("\n");
}

function publisherRow(publisher: MessageStatus["publisher"]): string[][] {
  if (publisher === null) return [];
  const { kind, name } = publisher;
  const words = { "api-key": "API key", operator: "operator", "command-line": "command line" };
  return [["by", name === null ? words[kind] : `${words[kind]} ${name}`]];
}

function servicesOf({ byPushService }: MessageStatus): string[] {
  if (byPushService.length === 0) return [];
  const rows = byPushService.map(({ pushService, registrations, counts, unsent }) => [
    `  ${pushService}`,
    ...[registrations, ...Object.values(counts), unsent].map(String),
  ]);
  const outcomes = Object.keys(byPushService[0]?.counts ?? {}).map((name) => name.toUpperCase());
  return [
    `The same, by push service:\n${tableOf([["  PUSH SERVICE", "AUDIENCE", ...outcomes, "UNSENT"], ...rows])}`,
  ];
}

function reasonsOf(status: MessageStatus): string[] {
  const lines = reasonLines(status);
  if (lines.length === 0) return [];
  return [`Why pushes were not accepted:\n${lines.map((line) => `  ${line}\n`).join("")}`];
}

function audienceText({ state, audience }: Pick<MessageSummary, "state" | "audience">): string {
  if (state === "scheduled") return "-";
  const isCounting = !audience.complete && (state === "sending" || state === "paused");
  return `${audience.registrations}${isCounting ? "+" : ""}`;
}

function figures(rows: readonly [string, number][]): string {
  return tableOf(rows.map(([name, count]) => [`  ${name}`, String(count)]));
}

function time(moment: string): string {
  return timeOf(Date.parse(moment));
}

function usage(sentence: string, question = ""): CommandError {
  return new CommandError("usage", `${sentence}: see sineta messages --help.${question}`);
}
