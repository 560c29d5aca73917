import type { TopicList } from "@sineta/protocol";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { read } from "../api/api-problem.ts";
import { useProject, type OwnProject } from "../session/operator.ts";

export function topicsQuery({ name, path }: Pick<OwnProject, "name" | "path">) {
  return queryOptions({
    queryKey: [name, "topics"],
    queryFn: ({ signal }) => read<TopicList>(`${path}/topics`, { signal }),
  });
}

/** What people read as the name of a topic. The technical name, until the server has answered or if the project has no such topic. */
export function displayNameOf(
  topics: readonly Pick<TopicList["topics"][number], "name" | "displayName">[] | undefined,
  name: string,
): string {
  return topics?.find((topic) => topic.name === name)?.displayName ?? name;
}

/** What each topic is called in a list to choose from: two that people call the same have their technical names, too. */
export function topicLabels(
  topics: readonly Pick<TopicList["topics"][number], "name" | "displayName">[],
): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { displayName } of topics) {
    counts.set(displayName, (counts.get(displayName) ?? 0) + 1);
  }
  return new Map(
    topics.map(({ name, displayName }) => [
      name,
      counts.get(displayName) === 1 || displayName === name
        ? displayName
        : `${displayName} · ${name}`,
    ]),
  );
}

const keptMs = 300_000;

/** @param name technical name of a topic; undefined: nothing is asked */
export function useTopicName(name: string | undefined): string {
  const { data } = useQuery({
    ...topicsQuery(useProject()),
    enabled: name !== undefined,
    // A change in this tab loads them anew. A change by another operator shows within five minutes.
    staleTime: keptMs,
  });
  return name === undefined ? "" : displayNameOf(data?.topics, name);
}
