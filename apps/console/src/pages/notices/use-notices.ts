import type { MessageList, MessageState } from "@sineta/protocol";
import {
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
} from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { read } from "../../api/api-problem.ts";
import { useProject } from "../../session/operator.ts";
import { goesOn } from "../notice/words.ts";
import { filterQuery, type NoticesSearch } from "./search.ts";

type Pages = InfiniteData<MessageList, string | undefined>;

const inPage = 50;
const askEveryMs = 5_000;
/** Asking again asks for all pages that were read. */
const mostPagesToAsk = 3;

/** The notices that pass the filter, as many as were scrolled to; asked for again while any of them goes out. */
export function useNotices(search: NoticesSearch) {
  const project = useProject();
  const queries = useQueryClient();
  const filter = filterQuery(search).toString();
  const key = useMemo(() => [project.name, "messages", filter], [project.name, filter]);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const page = new URLSearchParams(filter);
      page.set("limit", String(inPage));
      if (pageParam !== undefined) page.set("before", pageParam);
      return read<MessageList>(`${project.path}/messages?${page}`, { signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length === 0 || pages.length > mostPagesToAsk) return false;
      return pages.some(({ messages }) => messages.some((each) => goesOn(each.state)))
        ? askEveryMs
        : false;
    },
  });
  const notices = useMemo(
    () => query.data?.pages.flatMap(({ messages }) => messages) ?? [],
    [query.data],
  );
  const showState = useCallback(
    (id: string, state: MessageState) =>
      queries.setQueryData<Pages>(key, (known) => known && withState(known, id, state)),
    [queries, key],
  );
  return { query, notices, showState };
}

function withState(known: Pages, id: string, state: MessageState): Pages {
  const pages = known.pages.map((page) => {
    const messages = page.messages.map((each) =>
      each.id === id ? Object.assign({}, each, { state }) : each,
    );
    return Object.assign({}, page, { messages });
  });
  return { ...known, pages };
}
