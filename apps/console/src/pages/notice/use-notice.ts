import type { MessageProgress } from "@sineta/protocol";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useProject } from "../../session/operator.ts";
import { handledOf, paceOf, withSample, type Sample } from "./pace.ts";
import { noticeKey, noticeQuery } from "./notice-query.ts";
import { goesOn } from "./words.ts";

/** How the page hears what becomes of the notice. */
export type Following = "live" | "reconnecting" | "polling" | "over";

const askEveryMs = 5_000;
/** After its end there are still reports of browsers. */
const askLaterEveryMs = 15_000;
/** Where the stream was refused, as when there are too many. */
const tryStreamAgainMs = 15_000;

/**
 * A notice as it is now: by server-sent events while it goes out, by asking where they fail, and now and then after its end.
 * `pace`: registrations for each second over the last seconds; null while there is too little to tell.
 */
export function useNotice(id: string): {
  notice: UseQueryResult<MessageProgress>;
  following: Following;
  pace: number | null;
} {
  const project = useProject();
  const queries = useQueryClient();
  const [link, setLink] = useState<Exclude<Following, "over">>("polling");
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const notice = useQuery({
    ...noticeQuery(project, id),
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return false;
      if (!goesOn(state.data.state)) return askLaterEveryMs;
      return link === "live" ? false : askEveryMs;
    },
  });
  const isOnItsWay = notice.data !== undefined && goesOn(notice.data.state);
  const address = `/v1/${project.path}/messages/${id}/events`;

  useEffect(() => {
    if (!isOnItsWay) return undefined;
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const take = (event: MessageEvent<string>) => {
      const progress: MessageProgress = JSON.parse(event.data);
      const queryKey = noticeKey(project.name, id);
      queries.setQueryData(queryKey, progress);
      // An answer that was asked for before is older. Cancelled, it leaves what was set here.
      void queries.cancelQueries({ queryKey, exact: true });
      setSamples((known) => withSample(known, { atMs: Date.now(), handled: handledOf(progress) }));
      setLink("live");
    };
    const open = () => {
      const opened = new EventSource(address);
      source = opened;
      opened.addEventListener("progress", take);
      // Behind its end the browser would ask again and again.
      opened.addEventListener("end", () => opened.close());
      opened.addEventListener("error", () => {
        const isOver = opened.readyState === EventSource.CLOSED;
        setLink(isOver ? "polling" : "reconnecting");
        if (isOver) again = setTimeout(open, tryStreamAgainMs);
      });
    };
    open();
    return () => {
      source?.close();
      clearTimeout(again);
    };
  }, [address, id, isOnItsWay, project.name, queries]);

  return { notice, following: isOnItsWay ? link : "over", pace: paceOf(samples) };
}
