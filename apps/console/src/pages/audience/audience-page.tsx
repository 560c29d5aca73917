import { Button } from "@mantine/core";
import type { Audience, RegistrationList } from "@sineta/protocol";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { read } from "../../api/api-problem.ts";
import { Card } from "../../parts/card.tsx";
import { useCsvAddress } from "../../parts/csv-address.ts";
import { Empty } from "../../parts/empty.tsx";
import { ExportMenu } from "../../parts/export-menu.tsx";
import { Page } from "../../parts/page.tsx";
import { Problem } from "../../parts/problem.tsx";
import { topicsQuery } from "../../project/use-topics.ts";
import { useProject } from "../../session/operator.ts";
import { useFormat, useTexts } from "../../texts/use-texts.tsx";
import { Filters } from "./filters.tsx";
import { LossesCard } from "./losses-card.tsx";
import { RegistrationTable } from "./registration-table.tsx";
import { validateAudienceSearch, type AudienceSearch } from "./search.ts";
import classes from "./audience.module.css";

/** Who is registered, newest first, by what stands in the address. */
export function AudiencePage() {
  const { frame, audience: texts } = useTexts();
  const format = useFormat();
  const project = useProject();
  const search = useSearch({ from: "/inside/publico", select: validateAudienceSearch });
  const navigate = useNavigate();
  const audience = useQuery({
    queryKey: [project.name, "audience"],
    queryFn: ({ signal }) => read<Audience>(`${project.path}/audience`, { signal }),
  });
  const topics = useQuery(topicsQuery(project));
  const list = useInfiniteQuery({
    queryKey: [project.name, "registrations", search],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      read<RegistrationList>(`${project.path}/registrations?${queryOf(search, pageParam)}`, {
        signal,
      }),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const registrations = list.data?.pages.flatMap((page) => page.registrations) ?? [];
  const count = registrations.length;
  const countText = list.hasNextPage ? texts.list.found : texts.list.foundAll;
  // Of what could not be read nobody knows how many there are.
  const found =
    list.isPlaceholderData || list.data === undefined ? "" : countText(count, format.number(count));
  const isFiltered = Object.keys(search).length > 0;
  const change = (to: AudienceSearch) => void navigate({ to: "/publico", search: to });
  const exported = useCsvAddress("registrations/export");
  const isSomebody = list.isSuccess && (count > 0 || list.hasNextPage || isFiltered);
  return (
    <Page
      title={frame.audience}
      actions={
        isSomebody && (
          <ExportMenu
            label={isFiltered ? texts.exports.filtered : texts.exports.all}
            tables={[
              {
                name: texts.exports.plain,
                what: texts.exports.plainWhat,
                address: exported(search),
              },
              {
                name: texts.exports.withTokens,
                what: texts.exports.withTokensWhat,
                address: exported({ ...search, tokens: "true" }),
              },
            ]}
          />
        )
      }
    >
      <LossesCard />
      <Filters
        // What was typed belongs to the address it was typed under.
        key={`${search.user}`}
        search={search}
        audience={audience.data}
        topics={topics.data?.topics ?? []}
        onChange={change}
      />
      <Card
        title={texts.list.registrations}
        actions={
          <output className={classes.count}>
            {list.isPending || (list.isPlaceholderData && !list.isError)
              ? texts.list.searching
              : found}
          </output>
        }
      >
        {list.error !== null && (
          <Problem
            error={list.error}
            onRetry={() => void (list.data === undefined ? list.refetch() : list.fetchNextPage())}
          />
        )}
        {registrations.length === 0 && list.isSuccess && !list.hasNextPage ? (
          <None isFiltered={isFiltered} onClear={() => change({})} />
        ) : (
          <RegistrationTable
            registrations={registrations}
            hasMore={list.hasNextPage && list.error === null}
            isWaiting={list.isPending || list.isFetchingNextPage}
            onMore={() => void list.fetchNextPage()}
          />
        )}
      </Card>
    </Page>
  );
}

/** Stands in the list's place while it has no registration. The filters may be the reason. */
function None({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { frame, audience } = useTexts();
  if (isFiltered) {
    return (
      <Empty
        drawing="search"
        sentence={audience.list.none}
        action={
          <Button variant="default" onClick={onClear}>
            {frame.clearFilters}
          </Button>
        }
      />
    );
  }
  return (
    <Empty
      drawing="browser"
      sentence={audience.list.nobody}
      action={
        <Button renderRoot={(props) => <Link to="/instalar" {...props} />}>{frame.install}</Button>
      }
    />
  );
}

function queryOf(search: AudienceSearch, before: number | undefined): string {
  const query = new URLSearchParams(search);
  query.set("limit", "100");
  if (before !== undefined) query.set("before", String(before));
  return query.toString();
}
