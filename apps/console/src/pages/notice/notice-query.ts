import type { BriefTarget, MessageProgress, MessageStatus, MessageTarget } from "@sineta/protocol";
import { queryOptions } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";

export const noticeKey = (project: string, id: string) => [project, "message", id] as const;

/** A notice as it is now. @param project its path stands behind `/v1/` */
export const noticeQuery = ({ name, path }: { name: string; path: string }, id: string) =>
  queryOptions({
    queryKey: noticeKey(name, id),
    queryFn: async ({ signal }): Promise<MessageProgress> =>
      briefly(await read<MessageStatus>(`${path}/messages/${id}`, { signal })),
  });

/** A status as the event stream has it, too: of many tokens how many they are. */
export function briefly(status: MessageStatus): MessageProgress {
  return { ...status, target: briefTarget(status.target) };
}

function briefTarget(target: MessageTarget): BriefTarget {
  return target.kind === "tokens" ? { kind: "tokens", count: target.tokens.length } : target;
}

/** Whether the server still takes a change: the sending has not begun. */
export function mayBeEdited({
  startedAt,
  endedAt,
}: Pick<MessageStatus, "startedAt" | "endedAt">): boolean {
  return startedAt === undefined && endedAt === undefined;
}
