import { CommandError } from "../command-error.ts";
import type { Store, Topic } from "../store/port.ts";

/** The project's topic of this name. @throws CommandError `topic-missing` */
export async function demandTopic(
  { topics }: Pick<Store, "topics">,
  projectId: number,
  name: string,
): Promise<Topic> {
  const topic = await topics.find(projectId, name);
  if (topic === null) throw topicMissing(name);
  return topic;
}

export function topicMissing(name: string): CommandError {
  return new CommandError(
    "topic-missing",
    `There is no topic ${JSON.stringify(name)}: sineta topics lists those there are, sineta topics add makes one.`,
  );
}
