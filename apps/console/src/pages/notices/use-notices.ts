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

/**
 * The notices that pass the filter, as many as were scrolled to: first those that are scheduled, all of them, then the
 * others. Of one state alone there are no groups, and `scheduled` is empty.
 */
export function useNotices(search: NoticesSearch) {
  const isOfOneState = search.situacao !== undefined;
  const all = useNoticePages(search, true);
  const scheduledPages = useNoticePages({ ...search, situacao: "scheduled" }, !isOfOneState);
  const asked = isOfOneState ? [all] : [scheduledPages, all];
  const scheduled = useMemo(
    () => (isOfOneState ? [] : scheduledPages.notices.filter(({ state }) => state === "scheduled")),
    [isOfOneState, scheduledPages.notices],
  );
  const hasMoreScheduled = !isOfOneState && scheduledPages.query.hasNextPage;
  const others = useMemo(() => {
    // They come after the scheduled ones, that is when all of those are there.
    if (hasMoreScheduled) return [];
    const shown = new Set(scheduled.map(({ id }) => id));
    return all.notices.filter(({ id }) => !shown.has(id));
  }, [hasMoreScheduled, scheduled, all.notices]);
  return {
    scheduled,
    others,
    isPending: asked.some(({ query }) => query.isPending),
    isSuccess: asked.every(({ query }) => query.isSuccess),
    isStale: asked.some(({ query }) => query.isPlaceholderData),
    error: asked.find(({ query }) => query.isError)?.query.error ?? null,
    hasMore: asked.some(({ query }) => query.hasNextPage),
    askAgain: () => {
      for (const { query } of asked) void query.refetch();
    },
    loadMore: () => {
      const next = asked.find(({ query }) => query.hasNextPage)?.query;
      if (next?.isFetchingNextPage === false) void next.fetchNextPage();
    },
    showState: (id: string, state: MessageState) => {
      for (const { showState } of asked) showState(id, state);
    },
  };
}

/** Pages of the notices that pass the filter; asked for again while any of them goes out. */
function useNoticePages(search: NoticesSearch, enabled: boolean) {
  const project = useProject();
  const queries = useQueryClient();
  const filter = filterQuery(search).toString();
  const key = useMemo(() => [project.name, "messages", filter], [project.name, filter]);
  const query = useInfiniteQuery({
    queryKey: key,
    enabled,
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
