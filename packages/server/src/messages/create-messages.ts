import type { MessageFilterQuery } from "@sineta/protocol";
import type { MessageFilter, PublishedMessage, Store } from "../store/port.ts";
import { dryRun, type DryRunParts } from "./dry-run.ts";
import type { Messages } from "./messages.ts";
import { exceptionsOf } from "./exceptions.ts";
import { exceptionsAsCsv, figuresAsCsv, messagesAsCsv } from "./export.ts";
import { filterOf } from "./filter.ts";
import { publish } from "./publish.ts";
import { endedRefusal, moveRequest } from "./replace.ts";
import { moment, statusOf, summaryOf } from "./status.ts";

/**
 * @param parts.newId makes UUIDs, version 7: messages sort by the millisecond that they were made in
 * @param parts.delivers whether a server sends what is due: if so, a message is told as `sending` from its time on, also
 *   before the delivery has begun with it. With a local time it is `scheduled` until then.
 */
export function createMessages(
  parts: Omit<DryRunParts, "store"> & {
    store: Store;
    delivers: () => boolean;
    now: () => number;
  },
): Messages {
  const { store, now } = parts;
  const told = <Told extends Pick<PublishedMessage, "state" | "scheduledAtMs" | "localTime">>(
    message: Told,
  ) => {
    const { state, scheduledAtMs, localTime } = message;
    const isDue = state === "scheduled" && localTime === null && scheduledAtMs <= now();
    return isDue && parts.delivers() ? { ...message, state: "sending" as const } : message;
  };
  const list: Store["messages"]["list"] = async (...asked) =>
    (await store.messages.list(...asked)).map(told);
  /** Only what is told as scheduled passes as such. */
  const passing = (query: MessageFilterQuery): MessageFilter => {
    const filter = filterOf(query);
    if (filter.state !== "scheduled" || !parts.delivers()) return filter;
    return { ...filter, scheduledFromMs: Math.max(filter.scheduledFromMs ?? 0, now() + 1) };
  };

  const messages: Messages = {
    publish: (project, request, asker, key) =>
      publish({ ...parts, told }, project, request, {
        asker,
        nowMs: now(),
        ...(key === undefined ? {} : { once: { key } }),
      }),

    publishDraft: (project, draftId, request, asker) =>
      publish({ ...parts, told }, project, request, { asker, nowMs: now(), once: { draftId } }),

    dryRun: (project, request, signal) => dryRun(parts, project, request, { nowMs: now(), signal }),

    async status(project, id) {
      const message = await store.messages.find(project.id, id);
      return message === null ? null : statusOf(store, told(message));
    },

    async list(project, { limit, before, filter = {} }) {
      // One more tells whether there are more.
      const found = await list(project.id, limit + 1, before, passing(filter));
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      return {
        messages: shown.map(summaryOf),
        ...(found.length > limit && last !== undefined ? { next: last.id } : {}),
      };
    },

    async exceptions(project, id, options) {
      const message = await store.messages.find(project.id, id);
      return message === null ? null : exceptionsOf(store, id, options);
    },

    async receiptsOverTime(project, id) {
      const message = await store.messages.find(project.id, id);
      if (message === null) return null;
      const hours = await store.messages.hours(id);
      return {
        hours: hours.map(({ hourMs, accepted, displayed, clicked, closed }) => {
          return { at: moment(hourMs), accepted, displayed, clicked, closed };
        }),
      };
    },

    exportList: (project, filter, style) =>
      messagesAsCsv(
        { messages: { list }, topics: store.topics },
        project.id,
        passing(filter),
        style,
      ),

    async exportOne(project, id, { table, withTokens, ...style }) {
      const message = await store.messages.find(project.id, id);
      if (message === null) return null;
      return table === "figures"
        ? figuresAsCsv(await statusOf(store, message), style)
        : exceptionsAsCsv(store.messages, id, { ...style, withTokens });
    },

    async move(project, id, to, asker, key) {
      const message = await store.messages.find(project.id, id);
      if (message === null) return { kind: "refused", code: "message-not-found" };
      return messages.publish(project, moveRequest(message, to), asker, key);
    },

    async cancel(project, id, asker) {
      const cancelled = await store.messages.cancel(project.id, id, now(), {
        ...asker,
        projectId: project.id,
        action: "message.cancelled",
        subject: id,
        change: null,
      });
      const message = await store.messages.find(project.id, id);
      if (message === null) return { kind: "refused", code: "message-not-found" };
      if (!cancelled) return endedRefusal(message);
      return { kind: "cancelled", status: await statusOf(store, message) };
    },
  };
  return messages;
}
