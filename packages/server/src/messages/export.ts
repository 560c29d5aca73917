/** Messages as tables to take away. What is long comes in pieces, each of which is read when it is wanted. */
import { setImmediate as othersTurn } from "node:timers/promises";
import type { BriefTarget, CsvSeparator, MessageStatus, MessageSummary } from "@sineta/protocol";
import type { MessageFilter, PublishedMessage, Store } from "../store/port.ts";
import { csvBeginning, csvLine } from "../exports/csv.ts";
import { exceptionsOf } from "./exceptions.ts";
import { briefTarget, moment, summaryOf } from "./status.ts";

type Reading = Pick<Store, "messages">;

const rowsInPiece = 1_000;
/** Their texts are read with them. */
const messagesInPiece = 200;

const outcomes = ["accepted", "retry", "gone", "rejected", "failed"] as const;
const events = ["displayed", "clicked", "closed"] as const;

/** Each registration that did not simply accept the message: the token, none if it was removed; what became of it and why. */
export async function* exceptionsAsCsv(
  store: Reading,
  id: string,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  const names = ["token", "push_service", "outcome", "reason", "detail", "attempts", "changed_at"];
  yield csvBeginning + csvLine([...names, "retry_at"], separator);
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const page = await exceptionsOf(store, id, { afterId, limit: rowsInPiece });
    const lines = page.exceptions.map((each) =>
      csvLine(
        [
          each.token ?? "",
          each.pushService,
          each.outcome,
          each.reason,
          each.detail,
          each.attempts,
          each.changedAt,
          each.retryAt ?? "",
        ],
        separator,
      ),
    );
    yield lines.join("");
    afterId = page.next;
    await othersTurn();
  }
}

/** How many, by push service and (`all`) together. What browsers report is known together alone. */
export async function* figuresAsCsv(
  status: MessageStatus,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  yield (
    csvBeginning +
      csvLine(["push_service", "registrations", ...outcomes, "unsent", ...events], separator)
  );
  for (const { pushService, registrations, counts, unsent } of status.byPushService) {
    const figures = outcomes.map((outcome) => counts[outcome]);
    yield csvLine(
      [pushService, registrations, ...figures, unsent, ...events.map(() => "")],
      separator,
    );
  }
  const { audience, counts, unsent, receipts } = status;
  yield csvLine(
    [
      "all",
      audience.registrations,
      ...outcomes.map((outcome) => counts[outcome]),
      unsent,
      ...events.map((event) => receipts[event]),
    ],
    separator,
  );
}

/** One line for each message, newest first. */
export async function* messagesAsCsv(
  messages: Pick<Store["messages"], "list">,
  projectId: number,
  filter: MessageFilter,
  separator: CsvSeparator,
): AsyncGenerator<string> {
  yield (
    csvBeginning +
      csvLine(
        messageColumns.map(([name]) => name),
        separator,
      )
  );
  let before: string | undefined;
  for (;;) {
    const page = await messages.list(projectId, messagesInPiece, before, filter);
    yield page.map((message) => messageLine(message, separator)).join("");
    if (page.length < messagesInPiece) return;
    before = page.at(-1)?.id;
    await othersTurn();
  }
}

type Column = readonly [name: string, field: (shown: Shown) => string | number];
type Shown = { message: PublishedMessage; summary: MessageSummary; target: BriefTarget };

const messageColumns: readonly Column[] = [
  ["id", ({ message }) => message.id],
  ["title", ({ message }) => message.notification.title],
  ["body", ({ message }) => message.notification.body ?? ""],
  ["state", ({ message }) => message.state],
  ["target", ({ target }) => target.kind],
  ["target_detail", ({ target }) => detailOf(target)],
  ["urgency", ({ message }) => message.urgency],
  ["ttl_seconds", ({ message }) => message.ttlSeconds],
  ["published_by", ({ message }) => message.publisher?.kind ?? ""],
  ["publisher", ({ message }) => message.publisher?.name ?? ""],
  ["created_at", ({ summary }) => summary.createdAt],
  ["schedule_at", ({ summary }) => summary.scheduleAt],
  ["local_time", ({ message }) => message.localTime ?? ""],
  ["started_at", ({ message }) => momentOrNothing(message.startedAtMs)],
  ["ended_at", ({ message }) => momentOrNothing(message.endedAtMs)],
  ["registrations", ({ summary }) => summary.audience.registrations],
  ...outcomes.map((name): Column => [name, ({ summary }) => summary.counts[name]]),
  ["unsent", ({ summary }) => summary.unsent],
  ...events.map((name): Column => [name, ({ summary }) => summary.receipts[name]]),
];

function messageLine(message: PublishedMessage, separator: CsvSeparator): string {
  const shown = { message, summary: summaryOf(message), target: briefTarget(message.target) };
  return csvLine(
    messageColumns.map(([, field]) => field(shown)),
    separator,
  );
}

function momentOrNothing(milliseconds: number | null): string {
  return milliseconds === null ? "" : moment(milliseconds);
}

function detailOf(target: BriefTarget): string | number {
  switch (target.kind) {
    case "all":
      return "";
    case "topic":
      return target.topic;
    case "condition":
      return target.condition;
    case "user":
      return target.userId;
    case "token":
      return target.token;
    case "tokens":
      return target.count;
    default:
      return target satisfies never;
  }
}
