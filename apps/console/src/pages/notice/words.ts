import type { BriefTarget, MessageState, MessageSummary } from "@sineta/protocol";
import { useTopicName } from "../../project/use-topics.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { isolated } from "../../parts/isolated.ts";

/** Whether anything may still be sent of it. */
export function goesOn(state: MessageState): boolean {
  return state === "scheduled" || state === "sending" || state === "paused";
}

/** For whom a notice is, in words. */
export function useTargetText(target: BriefTarget): string {
  const { notices } = useTexts();
  const format = useFormat();
  const topicName = useTopicName(target.kind === "topic" ? target.topic : undefined);
  switch (target.kind) {
    case "all":
    case "token":
      return notices.targets[target.kind];
    case "topic":
      return notices.toTopic(isolated(topicName));
    case "condition":
      return notices.toCondition(target.condition);
    case "user":
      return notices.toUser(isolated(target.userId));
    case "tokens":
      return notices.toTokens(target.count, format.number(target.count));
    default:
      return target satisfies never;
  }
}

/** Who published a notice, in words; undefined of notices from before that was kept. */
export function usePublisherText(): (publisher: MessageSummary["publisher"]) => string | undefined {
  const { notices } = useTexts();
  return (publisher) => {
    if (publisher === null) return undefined;
    const { kind, name } = publisher;
    switch (kind) {
      case "operator":
        return name === null ? notices.byLostOperator : isolated(name);
      case "api-key":
        return name === null ? notices.byLostKey : notices.byKey(isolated(name));
      case "command-line":
        return notices.byCommandLine;
      default:
        return kind satisfies never;
    }
  };
}
