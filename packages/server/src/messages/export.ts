/** Messages as tables to take away. What is long comes in pieces, each of which is read when it is wanted. */
import type { MessageStatus, MessageTarget } from "@sineta/protocol";
import { csvTable, momentColumn, type Column } from "../exports/csv-table.ts";
import type { CsvStyle, Wording } from "../exports/wording.ts";
import type { MessageException, MessageFilter, PublishedMessage, Store } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { unsentOf } from "./status.ts";

const exceptionsInPiece = 1_000;
/** Their texts are read with them. */
const messagesInPiece = 200;

const outcomes = ["accepted", "retry", "gone", "rejected", "failed"] as const;
const events = ["displayed", "clicked", "closed"] as const;

/**
 * Each registration that did not simply accept the message: what became of it and why.
 * @param withTokens whether each line has the registration's token. The token of a removed registration is empty
 */
export function exceptionsAsCsv(
  messages: Pick<Store["messages"], "exceptions">,
  id: string,
  { withTokens, ...style }: CsvStyle & { withTokens: boolean },
): AsyncGenerator<string> {
  const columns = withTokens ? [exceptionToken, ...exceptionColumns] : exceptionColumns;
  return csvTable(columns, exceptionPages(messages, id), style);
}

const exceptionToken: Column<MessageException> = {
  name: "token",
  cell: ({ token }) => token ?? "",
};

const exceptionColumns: readonly Column<MessageException>[] = [
  {
    name: "push_service",
    cell: ({ pushOrigin }, { word }) => word("pushServices", pushServiceOf(pushOrigin)),
  },
  { name: "outcome", cell: ({ kind }, { word }) => word("outcomes", kind) },
  { name: "reason", cell: ({ reason }, wording) => wording.reason(reason) },
  { name: "detail", cell: ({ detail }) => detail },
  { name: "attempts", cell: ({ attempts }) => attempts },
  momentColumn("changed_at", ({ changedAtMs }) => changedAtMs),
  momentColumn("retry_at", ({ dueAtMs }) => dueAtMs),
];

async function* exceptionPages(
  messages: Pick<Store["messages"], "exceptions">,
  id: string,
): AsyncGenerator<MessageException[]> {
  let afterId: number | null = 0;
  while (afterId !== null) {
    const page = await messages.exceptions(id, { afterId, limit: exceptionsInPiece });
    yield page.exceptions;
    afterId = page.nextAfterId;
  }
}

/** How many, by push service and together. What browsers report is known together alone. */
export function figuresAsCsv(status: MessageStatus, style: CsvStyle): AsyncGenerator<string> {
  const rows = [...status.byPushService, { ...status, pushService: null }];
  return csvTable(figureColumns, onePage(rows), style);
}

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** Null is all push services. */
type Figures = MessageStatus["byPushService"][number] | (MessageStatus & { pushService: null });

const figureColumns: readonly Column<Figures>[] = [
  {
    name: "push_service",
    cell: ({ pushService }, { word }) =>
      pushService === null ? word("sums", "all") : word("pushServices", pushService),
  },
  {
    name: "registrations",
    cell: (row) => (row.pushService === null ? row.audience.registrations : row.registrations),
  },
  ...outcomes.map((name): Column<Figures> => ({ name, cell: ({ counts }) => counts[name] })),
  { name: "unsent", cell: ({ unsent }) => unsent },
  ...events.map((name): Column<Figures> => ({
    name,
    cell: (row) => (row.pushService === null ? row.receipts[name] : ""),
  })),
];

/** One line for each message, newest first. */
export async function* messagesAsCsv(
  { messages, topics }: { messages: Pick<Store["messages"], "list">; topics: Store["topics"] },
  projectId: number,
  filter: MessageFilter,
  style: CsvStyle,
): AsyncGenerator<string> {
  const named = style.words === undefined ? [] : await topics.list(projectId);
  const topicNames = new Map(named.map(({ name, displayName }) => [name, displayName]));
  const columns = messageColumns(topicNames);
  yield* csvTable(columns, messagePages(messages, projectId, filter), style);
}

async function* messagePages(
  messages: Pick<Store["messages"], "list">,
  projectId: number,
  filter: MessageFilter,
): AsyncGenerator<PublishedMessage[]> {
  let before: string | undefined;
  do {
    const page: PublishedMessage[] = await messages.list(
      projectId,
      messagesInPiece,
      before,
      filter,
    );
    yield page;
    before = page.length < messagesInPiece ? undefined : page.at(-1)?.id;
  } while (before !== undefined);
}

/** @param topicNames what people read, by technical name */
const messageColumns = (
  topicNames: ReadonlyMap<string, string>,
): readonly Column<PublishedMessage>[] => [
  { name: "id", cell: ({ id }) => id },
  { name: "title", cell: ({ notification }) => notification.title },
  { name: "body", cell: ({ notification }) => notification.body ?? "" },
  { name: "link", cell: ({ notification }) => notification.link ?? "" },
  { name: "state", cell: stateOf },
  { name: "target", cell: ({ target }, { word }) => word("targets", target.kind) },
  { name: "target_detail", cell: ({ target }) => detailOf(target, topicNames) },
  { name: "urgency", cell: ({ urgency }, { word }) => word("urgencies", urgency) },
  { name: "ttl_seconds", cell: ({ ttlSeconds }) => ttlSeconds },
  {
    name: "published_by",
    cell: ({ publisher }, { word }) =>
      publisher === null ? "" : word("publishers", publisher.kind),
  },
  { name: "publisher", cell: ({ publisher }) => publisher?.name ?? "" },
  momentColumn("created_at", ({ createdAtMs }) => createdAtMs),
  { name: "schedule_at", cell: scheduleOf, isMoment: true },
  { name: "local_time", cell: (message, { localTime }) => localTime(message.localTime) },
  momentColumn("started_at", ({ startedAtMs }) => startedAtMs),
  momentColumn("ended_at", ({ endedAtMs }) => endedAtMs),
  { name: "registrations", cell: ({ plannedCount }) => plannedCount },
  ...outcomes.map((name): Column<PublishedMessage> => ({
    name,
    cell: ({ counts }) => counts[name],
  })),
  { name: "unsent", cell: ({ plannedCount, counts }) => unsentOf(plannedCount, counts) },
  ...events.map((name): Column<PublishedMessage> => ({
    name,
    cell: ({ receipts }) => receipts[name],
  })),
  { name: "replaces", cell: ({ replaces }) => replaces ?? "" },
  { name: "replaced_by", cell: ({ replacedBy }) => replacedBy ?? "" },
];

/** For people a message that another has replaced is not merely cancelled. */
function stateOf({ state, replacedBy }: PublishedMessage, { hasWords, word }: Wording): string {
  return word("messageStates", hasWords && replacedBy !== null ? "replaced" : state);
}

/** People call a message scheduled only if it was not for at once. */
function scheduleOf(
  { scheduledAtMs, createdAtMs, localTime }: PublishedMessage,
  { hasWords, moment }: Wording,
): string {
  const wasForAtOnce = localTime === null && scheduledAtMs <= createdAtMs;
  return hasWords && wasForAtOnce ? "" : moment(scheduledAtMs);
}

/** For tokens, their count. */
function detailOf(target: MessageTarget, topicNames: ReadonlyMap<string, string>): string | number {
  switch (target.kind) {
    case "all":
      return "";
    case "topic":
      return topicNames.get(target.topic) ?? target.topic;
    case "condition":
      return target.condition;
    case "user":
      return target.userId;
    case "token":
      return 1;
    case "tokens":
      return target.tokens.length;
    default:
      return target satisfies never;
  }
}
