import type {
  Attention,
  Audience,
  AudienceDays,
  MessageList,
  MessageSummary,
} from "@sineta/protocol";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";
import { installationQuery } from "../../project/settings.ts";
import type { OwnProject } from "../../session/operator.ts";

/** Days. */
export type Range = 30 | 90;

type Place = Pick<OwnProject, "name" | "path">;

export const firstRange: Range = 30;

const dayMs = 24 * 60 * 60 * 1000;
/** The usual click rate is the mean of these notices. */
const latestCount = 30;
/** The most that the server gives at once. */
const inPage = 100;
/** With more than 1,000 scheduled notices, Início leaves the oldest ones out. */
const mostPages = 10;

export const audienceQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "audience"],
    queryFn: ({ signal }) => read<Audience>(`${path}/audience`, { signal }),
  });

export const daysQuery = ({ name, path }: Place, range: Range) =>
  queryOptions({
    queryKey: [name, "audience-days", range],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (range - 1) * dayMs).toISOString().slice(0, 10);
      const to = new Date().toISOString().slice(0, 10);
      return read<AudienceDays>(`${path}/audience/days?from=${from}&to=${to}`, { signal });
    },
  });

/** Reads the newest notices. It leaves out a notice that starts after tomorrow: many of these would take the place of the others. */
export const latestQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "messages", "latest"],
    queryFn: ({ signal }) => {
      // This browser's clock may be behind the server's.
      const to = new Date(Date.now() + dayMs).toISOString();
      return read<MessageList>(`${path}/messages?limit=${latestCount}&to=${to}`, { signal });
    },
  });

/** Reads the scheduled notices. `hasMore` says that the project has more than these. */
export const scheduledQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "messages", "scheduled"],
    queryFn: async ({ signal }) => {
      const notices: MessageSummary[] = [];
      let before: string | undefined;
      for (let page = 0; page < mostPages; page += 1) {
        const query = new URLSearchParams({ state: "scheduled", limit: String(inPage) });
        if (before !== undefined) query.set("before", before);
        const { messages, next } = await read<MessageList>(`${path}/messages?${query}`, { signal });
        notices.push(...messages);
        if (next === undefined) return { notices, hasMore: false };
        before = next;
      }
      return { notices, hasMore: true };
    },
  });

export const attentionQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "attention"],
    queryFn: ({ signal }) => read<Attention>(`${path}/attention`, { signal }),
  });

/** Asks for all that the page shows at first, before React draws it. The page tells the operator what failed. */
export function askAhead(queries: QueryClient, project: Place): void {
  void queries.prefetchQuery(installationQuery(project));
  void queries.prefetchQuery(attentionQuery(project));
  void queries.prefetchQuery(audienceQuery(project));
  void queries.prefetchQuery(daysQuery(project, firstRange));
  void queries.prefetchQuery(latestQuery(project));
  void queries.prefetchQuery(scheduledQuery(project));
}
