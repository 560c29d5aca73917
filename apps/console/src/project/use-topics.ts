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

/** What people read as the name of a topic. It is the technical name until the server has answered, and of a topic that there is not. */
export function displayNameOf(
  topics: readonly Pick<TopicList["topics"][number], "name" | "displayName">[] | undefined,
  name: string,
): string {
  return topics?.find((topic) => topic.name === name)?.displayName ?? name;
}

const keptMs = 300_000;

/** @param name technical name of a topic; undefined: nothing is asked */
export function useTopicName(name: string | undefined): string {
  const { data } = useQuery({
    ...topicsQuery(useProject()),
    enabled: name !== undefined,
    // Names seldom change, and a change of one asks anew.
    staleTime: keptMs,
  });
  return name === undefined ? "" : displayNameOf(data?.topics, name);
}
