import { setTimeout as delay } from "node:timers/promises";
import {
  idempotencyKeySchema,
  limits,
  type DryRun,
  type MessageRequest,
  type MessageStatus,
} from "@sineta/protocol";
import { CommandError } from "../command-error.ts";
import { causeOf, causeText } from "../messages/reasons.ts";
import { sameRequest } from "../messages/replace.ts";
import type { MessageTarget } from "../store/port.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command } from "./command.ts";
import { heldText, reasonLines } from "./message-causes.ts";
import { messageFlagsHelp, messageOptions, readMessageFlags } from "./message-flags.ts";
import { refusalSentence } from "./message-refusal.ts";
import { withMessages, type OpenMessages } from "./open-messages.ts";
import { printable, tableOf } from "./table.ts";
import { unknownText, whenItGoes } from "./published-text.ts";

const patienceMs = 30_000;
const pollMs = 100;

export const sendCommand: Command = {
  name: "send",
  summary: "Sends a notification",
  usage:
    "sineta send (--title TITLE --body TEXT | --replaces ID) [--to all|TOKEN|topic:NAME|user:ID | --condition TEXT | --tokens FILE] [--at MOMENT | --at-local TIME] [--dry-run | --no-wait] ...",
  help: `${messageFlagsHelp}
  --idempotency-key
             a name for this message: who sends it again with the same name sends nothing twice
  --dry-run  sends nothing, and tells how many registrations it would go to, what would not be sent or would wait, and why
  --replaces the id of a scheduled message to change: what no flag says stays as it is, its audience and its time, too. No flag
             takes anything away. The message gets another id. Nothing is changed if its sending has begun
  --no-wait  do not wait until it is sent

Puts the message into the database; the running server sends it. Waits up to 30 s for that and prints the message's
id and how many registrations accepted it, are gone, will be tried again, were rejected, or failed; why, as far as that
is known; and which push services are held back, if some of it waits for them. Tokens of --tokens that nobody has are
named on stderr, and the others sent to. A message with a time to come is not waited for.`,
  options: {
    ...messageOptions,
    "idempotency-key": { type: "string" },
    "dry-run": { type: "boolean" },
    "no-wait": { type: "boolean" },
  },
  run: async ({ flags, report, terminal }) => {
    const { config } = report;
    const replaces = flags["replaces"];
    // What is wrong with the flags is told before the data folder is opened.
    const whole =
      typeof replaces === "string" ? undefined : readMessageFlags(flags, terminal.folder);
    const idempotencyKey = idempotencyKeyOf(flags["idempotency-key"]);
    return withMessages(config, async (opened) => {
      const { messages, project } = opened;
      const request =
        whole ??
        readMessageFlags(flags, terminal.folder, await scheduledRequest(opened, String(replaces)));
      if (flags["dry-run"] === true) {
        const result = await messages.dryRun(project, request);
        if (result.kind === "refused") throw refusalSentence(result, flags);
        terminal.err(unknownText(result.dryRun.unknown));
        terminal.out(dryRunText(result.dryRun));
        return 0;
      }
      const result = await messages.publish(project, request, commandLineAsker(), idempotencyKey);
      if (result.kind === "refused") throw refusalSentence(result, flags);
      const { published } = result;
      const { id } = published;
      if (result.kind === "repeated") {
        terminal.out(`${id} has this idempotency key already: nothing is sent twice.\n`);
      }
      terminal.err(unknownText(published.unknown));
      const { text, hasBegun } = await whenItGoes(opened, config, published, request);
      const waits = hasBegun && flags["no-wait"] !== true;
      const line = waits ? summary(await settled(opened, id), Date.now()) : text;
      terminal.out(`${line}\n`);
      return 0;
    });
  },
};

/**
 * The request that would publish the scheduled message again, with its audience and its time. Once that message has ended, it is the
 * request that would have done so then: a repetition with the same idempotency key asks for the same.
 * @throws CommandError `message-unknown`
 */
async function scheduledRequest(
  { store, project }: OpenMessages,
  id: string,
): Promise<MessageRequest> {
  const message = await store.messages.find(project.id, id);
  if (message === null) throw refusalSentence({ kind: "refused", code: "message-not-found" });
  return sameRequest(message, message.endedAtMs ?? Date.now());
}

/** @throws CommandError `message-invalid` */
function idempotencyKeyOf(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  const checked = idempotencyKeySchema.safeParse(given);
  if (checked.success) return checked.data;
  throw new CommandError(
    "message-invalid",
    `--idempotency-key is ${JSON.stringify(given)}: expected 1 to ${limits.idempotencyKeyCharacters} visible ASCII characters.`,
  );
}

/** The message once it has ended or is held, or as it stands when patience ends. */
async function settled(
  { store, project, messages }: OpenMessages,
  id: string,
): Promise<MessageStatus> {
  const lastMs = Date.now() + patienceMs;
  for (;;) {
    // The row alone: figures by push service are added up once.
    const message = await store.messages.find(project.id, id);
    const state = message?.state;
    const isOn = state === "scheduled" || state === "sending";
    if (!isOn || Date.now() >= lastMs) {
      const status = await messages.status(project, id);
      if (status === null) throw new Error(`message ${id} vanished`);
      return status;
    }
    await delay(pollMs);
  }
}

const unfinished: Partial<Record<MessageStatus["state"], string>> = {
  scheduled: " (still to be sent)",
  sending: " (still being sent)",
  paused: " (held)",
  cancelled: " (cancelled)",
};

/**
 * The figures in one line; below it why pushes were not accepted and what holds it, or a sentence where nobody was
 * there to send to, which is no failure.
 */
export function summary(status: MessageStatus, nowMs: number): string {
  const { id, target, state, counts, unsent, held } = status;
  const { accepted, gone, retry, rejected, failed } = counts;
  const left = unsent === 0 ? "" : `, ${unsent} unsent`;
  const figures = `${accepted} accepted, ${gone} gone, ${retry} retry, ${rejected} rejected, ${failed} failed${left}`;
  const lines = [
    `${id}: ${figures}${unfinished[state] ?? ""}`,
    ...reasonLines(status),
    ...held.map((each) => heldText(each, nowMs)),
  ];
  if (state === "done" && Object.values(counts).every((count) => count === 0)) {
    lines.push(whyNobody(target));
  }
  return lines.filter((line) => line !== "").join("\n");
}

function whyNobody(target: MessageTarget): string {
  switch (target.kind) {
    case "all":
      return "No browser is registered yet.";
    case "topic":
      return `Nobody is in the topic ${printable(target.topic)}.`;
    case "condition":
      return "Nobody is in such topics.";
    case "user":
      return `The user ${printable(target.userId)} has no browser that is registered.`;
    // They were there when the message was published.
    case "token":
    case "tokens":
      return "";
    default:
      return target satisfies never;
  }
}

/** How many it would go to, by push service, and below that what would go wrong. */
export function dryRunText({ plaintextBytes, registrations, byPushService }: DryRun): string {
  const rows = byPushService.map(({ pushService, registrations: count, refused, waiting }) =>
    [pushService, count, sumOf(refused), sumOf(waiting)].map(String),
  );
  const remarks = byPushService.flatMap(({ pushService, refused, waiting, warnings }) => [
    ...refused.map((each) => obstacleText(`${pushService}: nothing would be sent to`, each)),
    ...waiting.map((each) => obstacleText(`${pushService}: held back, so these would wait:`, each)),
    ...warnings.map((warning) => `${pushService}: ${warning}`),
  ]);
  const people = registrations === 1 ? "1 registration" : `${registrations} registrations`;
  const head = `Nothing is sent. It would go to ${people}, in ${plaintextBytes} of ${limits.plaintextBytes} bytes.\n`;
  const table =
    rows.length === 0
      ? ""
      : tableOf([["PUSH SERVICE", "REGISTRATIONS", "REFUSED", "WAITING"], ...rows]);
  return [head, table, ...remarks.map((remark) => `${printable(remark)}\n`)].join("");
}

type Obstacle = DryRun["byPushService"][number]["refused"][number];

function sumOf(obstacles: readonly Obstacle[]): number {
  return obstacles.reduce((sum, each) => sum + each.registrations, 0);
}

function obstacleText(what: string, obstacle: Obstacle): string {
  const cause = causeOf(obstacle);
  return `${what} ${obstacle.registrations}, ${cause.code}: ${causeText(cause)}`;
}
