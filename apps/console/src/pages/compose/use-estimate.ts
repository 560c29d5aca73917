import { useDebouncedValue } from "@mantine/hooks";
import type { DryRun, MessageRequest, MessageTarget } from "@sineta/protocol";
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { bodyOf } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";

const typingMs = 500;

/** What the server says; `isOfThis`: of what is asked for now, and not of what was before. */
export type Estimate = { query: UseQueryResult<DryRun>; isOfThis: boolean };

function dryRun(path: string, request: MessageRequest, signal: AbortSignal): Promise<DryRun> {
  const body = { ...request, dryRun: true };
  return bodyOf(ask<DryRun>("POST", `${path}/messages`, { body, signal }));
}

/**
 * Who would be reached. Asked for the target alone, so that it is not counted anew with each character of the text.
 * @param target null while it is not known whom it names
 * @param ownToken of the operator's own browser: once that is registered there is one more
 */
export function useReach(
  project: { name: string; path: string },
  target: MessageTarget | null,
  ownToken: string | null,
): Estimate {
  const text = JSON.stringify(target);
  const [settled] = useDebouncedValue(text, typingMs);
  const asked: MessageTarget | null = JSON.parse(settled);
  const query = useQuery({
    queryKey: [project.name, "reach", settled, ownToken],
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    queryFn: ({ signal }) => {
      if (asked === null) throw new Error("there is nobody to ask for");
      return dryRun(project.path, { target: asked, notification: { title: "-" } }, signal);
    },
  });
  return { query, isOfThis: settled === text && !query.isPlaceholderData };
}

/**
 * How many bytes it takes, as the server counts them; and whether it takes the notification at all. To everybody, since
 * those are counted already: the size is the same for whomever.
 * @param content null while it has flaws that are known without the server
 */
export function useSize(
  project: { name: string; path: string },
  content: Pick<MessageRequest, "notification" | "data"> | null,
): Estimate {
  const text = JSON.stringify(content);
  const [settled] = useDebouncedValue(text, 2 * typingMs);
  const asked: typeof content = JSON.parse(settled);
  const query = useQuery({
    queryKey: [project.name, "size", settled],
    enabled: asked !== null,
    staleTime: 30_000,
    queryFn: ({ signal }) => {
      if (asked === null) throw new Error("there is nothing to ask for");
      return dryRun(project.path, { target: { kind: "all" }, ...asked }, signal);
    },
  });
  return { query, isOfThis: settled === text };
}
