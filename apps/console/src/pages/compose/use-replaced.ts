import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../session/operator.ts";
import { mayBeEdited, noticeQuery } from "../notice/notice-query.ts";

const [soonMs, laterMs] = [1_000, 10_000];

/** The scheduled notice that an operator changes, as it is now. The page asks again when its time comes. */
export function useReplaced(id: string) {
  return useQuery({
    ...noticeQuery(useProject(), id),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined || !mayBeEdited(data)) return false;
      const untilDueMs = Date.parse(data.scheduleAt) - Date.now();
      return untilDueMs < -laterMs ? laterMs : Math.min(Math.max(untilDueMs, soonMs), laterMs);
    },
    // The review asks anew.
    staleTime: 0,
  });
}
