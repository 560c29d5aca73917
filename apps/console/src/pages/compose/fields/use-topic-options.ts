import { useQuery } from "@tanstack/react-query";
import { topicLabels, topicsQuery } from "../../../project/use-topics.ts";
import { useProject } from "../../../session/operator.ts";
import { useFormat, useTexts } from "../../../texts/use-texts.tsx";

export type TopicOptions = {
  options: { value: string; label: string }[];
  /** Whether the server has answered with the project's topics. */
  isLoaded: boolean;
};

/** The project's topics to choose from, each with how many are in it; and what is chosen, though it is not there any more. */
export function useTopicOptions(chosen: readonly string[]): TopicOptions {
  const { compose } = useTexts();
  const format = useFormat();
  const project = useProject();
  const { data } = useQuery(topicsQuery(project));
  const topics = data?.topics ?? [];
  const labels = topicLabels(topics);
  const current = topics.map(({ name, registrations }) => ({
    value: name,
    label: compose.topicOption(labels.get(name) ?? name, format.number(registrations)),
  }));
  const known = new Set(topics.map(({ name }) => name));
  const others = [...new Set(chosen)].filter((name) => !known.has(name));
  const options = [...current, ...others.map((name) => ({ value: name, label: name }))];
  return { options, isLoaded: data !== undefined };
}
