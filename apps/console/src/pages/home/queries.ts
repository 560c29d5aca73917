import type { Attention, Audience, AudienceDays, MessageList } from "@sineta/protocol";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";
import { installationQuery } from "../../project/settings.ts";
import type { OwnProject } from "../../session/operator.ts";

/** Days. */
export type Range = 30 | 90;

type Place = Pick<OwnProject, "name" | "path">;

export const firstRange: Range = 30;

const dayMs = 24 * 60 * 60 * 1000;

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

export const latestQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "messages", "latest"],
    queryFn: ({ signal }) => read<MessageList>(`${path}/messages?limit=5`, { signal }),
  });

export const attentionQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "attention"],
    queryFn: ({ signal }) => read<Attention>(`${path}/attention`, { signal }),
  });

/** Asks for all that the page shows at first, while it is still to be drawn. What fails is told by the page. */
export function askAhead(queries: QueryClient, project: Place): void {
  void queries.prefetchQuery(installationQuery(project));
  void queries.prefetchQuery(attentionQuery(project));
  void queries.prefetchQuery(audienceQuery(project));
  void queries.prefetchQuery(daysQuery(project, firstRange));
  void queries.prefetchQuery(latestQuery(project));
}
