import { limits } from "@sineta/protocol";
import type { Topic, TopicStore } from "../store/port.ts";

/**
 * Puts the registrations with these tokens into a topic, or takes them out, as the operator may: in portions, since
 * many at once would hold up a running server. If it ends halfway, do it again: who is so already stays so.
 * @param pause lets the server have its turn
 * @returns how many registrations are as was asked for, and the tokens that belong to none that could be
 */
export async function changeTopic(
  store: TopicStore,
  topic: { projectId: number } & Pick<Topic, "id">,
  change: "join" | "leave",
  tokens: readonly string[],
  { nowMs, pause }: { nowMs: number; pause: () => Promise<unknown> },
): Promise<{ registrations: number; unknown: string[] }> {
  const each = [...new Set(tokens)];
  const unknown: string[] = [];
  for (let start = 0; start < each.length; start += limits.tokensPerRequest) {
    if (start > 0) await pause();
    const portion = each.slice(start, start + limits.tokensPerRequest);
    const whose = { projectId: topic.projectId, topicId: topic.id };
    unknown.push(...(await store.changeMany(whose, change, portion, nowMs)).unknown);
  }
  return { registrations: each.length - unknown.length, unknown };
}
